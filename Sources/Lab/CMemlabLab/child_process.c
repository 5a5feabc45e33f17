#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabLab.h"
#include "platform.h"

#include <errno.h>

#if LAB_HAS_PROCESS

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

bool memlab_child_process_available(void) { return true; }

int memlab_child_process_output(void) { return memfd_create("memlab-output", MFD_CLOEXEC); }

int memlab_child_process_fork(int output) {
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

bool memlab_child_process_available(void) { return false; }
int memlab_child_process_output(void) { return -1; }

int memlab_child_process_fork(int output) {
  (void)output;
  errno = ENOSYS;
  return -1;
}

#endif
