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
#include <time.h>
#include <unistd.h>

// The listener's file, by which its descriptor is recognised: a program may close descriptors that
// it does not know, and open others of the same numbers.
static struct stat own;
// What the folder has under the socket's name, which is another file.
static struct stat own_name;

static bool are_same(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool memlab_listener_is_own(int listener) {
  struct stat now;
  return fstat(listener, &now) == 0 && are_same(&now, &own);
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

// A process of the same number may have left a socket. Nothing else is removed, and not that of a process
// which listens: in a container that shares the folder, another one may have the number.
static void remove_abandoned(int listener, const struct sockaddr_un *address) {
  struct stat found;
  if (lstat(address->sun_path, &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  bool is_refused = connect(listener, (const struct sockaddr *)address, sizeof *address) != 0 &&
                    errno == ECONNREFUSED;
  if (is_refused) unlink(address->sun_path);
}

int memlab_listener_open(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  listener = moved_up(listener);
  remove_abandoned(listener, &address);
  // The socket has these rights from the moment on that it has a name.
  if (fchmod(listener, 0600) != 0 ||
      bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      lstat(path, &own_name) != 0 || listen(listener, 8) != 0 || fstat(listener, &own) != 0) {
    close(listener);
    return -1;
  }
  return listener;
}

void memlab_listener_remove(const char *path) {
  struct stat now;
  if (lstat(path, &now) == 0 && S_ISSOCK(now.st_mode) && are_same(&now, &own_name)) unlink(path);
}

// See `SO_PEERCRED` in https://man7.org/linux/man-pages/man7/unix.7.html.
static bool is_owner(int peer) {
  struct ucred other;
  socklen_t size = sizeof other;
  if (getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0) return false;
  return other.uid == geteuid() || other.uid == 0;
}

int memlab_listener_accept(int listener) {
  while (true) {
    struct pollfd ready = {.fd = listener, .events = POLLIN};
    int count = poll(&ready, 1, -1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || !memlab_listener_is_own(listener)) return -1;
    int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (peer < 0) {
      if (errno == EINTR || errno == ECONNABORTED || errno == EAGAIN) continue;
      // Without a descriptor to spare, the peer waits until there is one.
      if (errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS) return -1;
      poll(NULL, 0, 200);
      continue;
    }
    peer = moved_up(peer);
    if (is_owner(peer)) {
      struct timeval limit = {.tv_sec = 10};
      setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
      return peer;
    }
    close(peer);
  }
}

long memlab_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool memlab_peer_wait(int peer, long end) {
  struct pollfd ready = {.fd = peer, .events = POLLIN};
  long left;
  while ((left = end - memlab_milliseconds()) > 0) {
    int count = poll(&ready, 1, (int)left);
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
  return false;
}

bool memlab_peer_is_gone(int peer) {
  char byte;
  ssize_t got = recv(peer, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno == ECONNRESET);
}

// One peer is served at a time, so the time is that of the whole line.
bool memlab_peer_read_line(int peer, char *line, size_t capacity) {
  size_t length = 0;
  long end = memlab_milliseconds() + 2000;
  while (length < capacity - 1 && memlab_peer_wait(peer, end)) {
    ssize_t got = recv(peer, line + length, capacity - 1 - length, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
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

void memlab_peer_write(int peer, const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t sent = send(peer, text, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    text += sent;
    left -= (size_t)sent;
  }
}

void memlab_peer_write_error(int peer, const char *sentence, const char *detail) {
  char line[1024];
  snprintf(line, sizeof line, "\nmemlab.error %s%s\n", sentence, detail == NULL ? "" : detail);
  memlab_peer_write(peer, line);
}

#endif
