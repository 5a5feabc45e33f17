#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabLab.h"
#include "platform.h"

#include <errno.h>

#if LAB_HAS_PROCESS

#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool memlab_child_process_available(void) { return true; }

int memlab_child_process_output(void) { return memfd_create("memlab-output", MFD_CLOEXEC); }

typedef struct {
  uint32_t before, now;
} thread_number;

static bool contains(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && address - info->dlpi_addr - header->p_vaddr < header->p_memsz) return true;
  }
  return false;
}

// The number may also be the upper half of an address in a variable of a thread, of which glibc has one: those
// of libraries begin with 0x7f, and a process may have the number 0x7fd2. No such address ends in 32 zeros, or
// in the number that the variable beside it keeps: where an arena of the allocator begins, it would be mapped.
static bool is_half_of_address(const uint32_t *word, thread_number number) {
  if ((uintptr_t)word % sizeof(uintptr_t) == 0) return false;
  if (word[-1] == 0 || word[-1] == number.before || word[-1] == number.now) return false;
  uintptr_t address;
  memcpy(&address, word - 1, sizeof address);
  uintptr_t page = address & ~((uintptr_t)getpagesize() - 1);
  // Nothing is written: the kernel says whether the address is mapped.
  return msync((void *)page, 1, MS_ASYNC) == 0;
}

// Swift's `Mutex` writes the number of the thread that holds it, for which it asks the kernel once: each image
// that locks one keeps it in a variable of the thread that begins as zero, `_swift_stdlib_gettid` in
// https://github.com/swiftlang/swift/blob/main/stdlib/public/SwiftShims/swift/shims/_SynchronizationShims.h.
// In a copy it would be the number of the parent's thread: a second thread that waits for the lock traps, or
// the first one when it unlocks it. The library that runs queues has the number in the main queue, too, and
// compares the two, so it is left as it is.
static int renew_thread_number(struct dl_phdr_info *info, size_t size, void *numbers) {
  thread_number number = *(thread_number *)numbers;
  if (contains(info, (uintptr_t)_dispatch_main_queue_callback_4CF)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_TLS || info->dlpi_tls_data == NULL) continue;
    size_t first = (header->p_filesz + 3) & ~(size_t)3;
    for (size_t place = first; place + 4 <= header->p_memsz; place += 4) {
      uint32_t *word = (uint32_t *)((char *)info->dlpi_tls_data + place);
      if (*word == number.before && !is_half_of_address(word, number)) *word = number.now;
    }
  }
  return 0;
}

int memlab_child_process_fork(int output) {
  thread_number number = {.before = (uint32_t)syscall(SYS_gettid)};
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before the line above.
  if (getppid() != parent) _exit(1);
  number.now = (uint32_t)syscall(SYS_gettid);
  dl_iterate_phdr(renew_thread_number, &number);
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
