#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent.h"

#if AGENT_AVAILABLE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// The listener's file, by which its descriptor is recognised: a program may close descriptors that
// it does not know, and open others of the same numbers.
static struct stat own;

static bool is_own(int listener) {
  struct stat now;
  return fstat(listener, &now) == 0 && now.st_dev == own.st_dev && now.st_ino == own.st_ino;
}

// A high number: a program may rely on getting the low ones for its own files.
static int moved_up(int descriptor) {
  struct rlimit limit;
  int lowest = 900;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1000) {
    lowest = limit.rlim_cur > 16 ? (int)limit.rlim_cur - 8 : 3;
  }
  int high = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
  if (high < 0) return descriptor;
  close(descriptor);
  return high;
}

// The directory is the user's alone, so nobody else can open the socket between `bind` and `chmod`.
int listener_open(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  listener = moved_up(listener);
  unlink(path);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      chmod(path, 0600) != 0 || listen(listener, 8) != 0 || fstat(listener, &own) != 0) {
    close(listener);
    return -1;
  }
  return listener;
}

// See `SO_PEERCRED` in https://man7.org/linux/man-pages/man7/unix.7.html.
static bool is_owner(int peer) {
  struct ucred other;
  socklen_t size = sizeof other;
  if (getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0) return false;
  return other.uid == geteuid() || other.uid == 0;
}

int listener_accept(int listener) {
  while (true) {
    struct pollfd ready = {.fd = listener, .events = POLLIN};
    int count = poll(&ready, 1, -1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || !is_own(listener)) return -1;
    int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (peer < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // Without a descriptor to spare, the peer waits until there is one.
      if (errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS) return -1;
      poll(NULL, 0, 200);
      continue;
    }
    peer = moved_up(peer);
    if (is_owner(peer)) {
      struct timeval limit = {.tv_sec = 10};
      setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
      return peer;
    }
    close(peer);
  }
}

bool peer_read_line(int peer, char *line, size_t capacity) {
  size_t length = 0;
  while (length < capacity - 1) {
    ssize_t got = recv(peer, line + length, capacity - 1 - length, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    length += (size_t)got;
    line[length] = 0;
    char *end = strchr(line, '\n');
    if (end == NULL) continue;
    *end = 0;
    return true;
  }
  return false;
}

void peer_write(int peer, const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t sent = send(peer, text, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    text += sent;
    left -= (size_t)sent;
  }
}

void peer_write_error(int peer, const char *sentence, const char *detail) {
  char line[1024];
  snprintf(line, sizeof line, "\nmemlab.error %s%s\n", sentence, detail == NULL ? "" : detail);
  peer_write(peer, line);
}

#endif
