#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent.h"

#if AGENT_AVAILABLE

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool memlab_folder_is_own(const char *path) {
  // With a slash behind it, the name of a link would mean what it leads to.
  char name[PATH_MAX];
  size_t length = strlen(path);
  if (length >= sizeof name) return false;
  memcpy(name, path, length + 1);
  while (length > 1 && (name[length - 1] == '/' || (name[length - 1] == '.' && name[length - 2] == '/'))) {
    name[--length] = 0;
  }
  struct stat status;
  return lstat(name, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & 077) == 0;
}

static bool make_folder(char *path, size_t capacity, const char *folder, const char *name) {
  int length = snprintf(path, capacity, "%s%s", folder, name);
  // The name of the socket is a slash and the number of a process.
  if (length < 0 || (size_t)length + 12 > capacity) return false;
  mkdir(path, 0700);
  return memlab_folder_is_own(path) && access(path, W_OK | X_OK) == 0;
}

// The same places as those of `SocketFolder`, in the same order.
bool memlab_folder_find(char *path, size_t capacity) {
  const char *chosen = secure_getenv("MEMLAB_SOCKETS"), *runtime = secure_getenv("XDG_RUNTIME_DIR");
  if (chosen != NULL && make_folder(path, capacity, chosen, "")) return true;
  if (runtime != NULL && make_folder(path, capacity, runtime, "/memlab")) return true;
  static const char *const folders[] = {"/tmp", "/dev/shm", "/var/tmp"};
  char name[32];
  snprintf(name, sizeof name, "/memlab-%u", (unsigned)geteuid());
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    if (make_folder(path, capacity, folders[i], name)) return true;
  }
  return false;
}

#endif
