// A system that lets nobody stop a thread, as containers may be set up: to be preloaded.
#include <errno.h>

long ptrace(int request, ...) {
  (void)request;
  errno = EPERM;
  return -1;
}
