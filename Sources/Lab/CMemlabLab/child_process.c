#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "child_process.h"

#include <errno.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMLAB_SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(MEMLAB_SANITIZED) && !defined(MEMLAB_PORTABLE)

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

bool child_process_available(void) { return true; }

int child_process_output(void) { return memfd_create("memlab-output", MFD_CLOEXEC); }

int child_process_fork(int output) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before the line above.
  if (getppid() != parent) _exit(1);
  dup2(output >= 0 ? output : STDERR_FILENO, STDOUT_FILENO);
  if (output >= 0) dup2(output, STDERR_FILENO);
  // Nothing that was printed is lost, however the child ends.
  setvbuf(stdout, NULL, _IONBF, 0);
  return 0;
}

#else

bool child_process_available(void) { return false; }
int child_process_output(void) { return -1; }

int child_process_fork(int output) {
  (void)output;
  errno = ENOSYS;
  return -1;
}

#endif
