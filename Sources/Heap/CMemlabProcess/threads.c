#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabProcess.h"

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include <elf.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

enum { stack_of_helper = 64 * 1024 };
// A thread that starts a program does not stop before that has begun: in all, 50 ms are waited for it.
enum { pause_ns = 50000, most_pauses = 1000 };

typedef struct {
  copied_thread *threads;
  size_t count;
  char *memory;
  size_t size;
} request;

enum { unattached = -2, running = -1 };

// The signal that a stopped thread was about to receive, 0 for none; `running` if it does not stop.
static int wait_for_stop(pid_t thread, int *pauses) {
  for (;;) {
    int status = 0;
    pid_t changed = waitpid(thread, &status, __WALL | WNOHANG);
    if (changed == thread) {
      if (!WIFSTOPPED(status)) return unattached;
      return status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
    }
    if (changed < 0 || (*pauses)++ >= most_pauses) return running;
    struct timespec pause = {.tv_nsec = pause_ns};
    nanosleep(&pause, NULL);
  }
}

static void copy(copied_thread *thread, char *memory, size_t size) {
  struct user_regs_struct registers;
  struct iovec vector = {.iov_base = &registers, .iov_len = sizeof registers};
  if (ptrace(PTRACE_GETREGSET, (pid_t)thread->id, NT_PRSTATUS, &vector) != 0) return;
#if defined(__x86_64__)
  uintptr_t pointer = registers.rsp;
#else
  uintptr_t pointer = registers.sp;
#endif
  _Static_assert(sizeof registers <= sizeof thread->registers, "room for all registers");
  memcpy(thread->registers, &registers, sizeof registers);
  thread->stack_start = (pointer - STACK_RED_ZONE) & ~(uintptr_t)7;
  long copied = memlab_memory_copy_some(thread->stack_start, memory, size);
  thread->copied = copied > 0 ? (size_t)copied : 0;
}

// Runs in a process that shares this one's memory: a thread cannot stop those of its own process.
static int copy_all(void *argument) {
  request *asked = argument;
  int pauses = 0;
  for (size_t i = 0; i < asked->count; i++) {
    pid_t id = (pid_t)asked->threads[i].id;
    int isAttached = ptrace(PTRACE_SEIZE, id, NULL, NULL) == 0 && ptrace(PTRACE_INTERRUPT, id, NULL, NULL) == 0;
    asked->threads[i].signal = isAttached ? running : unattached;
  }
  for (size_t i = 0; i < asked->count; i++) {
    copied_thread *thread = &asked->threads[i];
    if (thread->signal == running) thread->signal = wait_for_stop((pid_t)thread->id, &pauses);
  }
  for (size_t i = 0; i < asked->count; i++) {
    copied_thread *thread = &asked->threads[i];
    if (thread->signal >= 0) copy(thread, asked->memory + i * asked->size, asked->size);
  }
  for (size_t i = 0; i < asked->count; i++) {
    copied_thread *thread = &asked->threads[i];
    if (thread->signal >= 0) ptrace(PTRACE_DETACH, (pid_t)thread->id, NULL, (void *)(long)thread->signal);
  }
  return 0;
}

void memlab_threads_copy(copied_thread *threads, size_t count, void *memory, size_t size) {
  for (size_t i = 0; i < count; i++) threads[i].copied = 0;
  char *stack = mmap(NULL, stack_of_helper, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return;
  request asked = {.threads = threads, .count = count, .memory = memory, .size = size};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  // Where a process may be traced by its parents only, it has to name who else may.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  // It sends no signal when it ends, and a `wait` for any child does not see it.
  pid_t helper = clone(copy_all, stack + stack_of_helper, CLONE_VM | CLONE_VFORK | CLONE_UNTRACED, &asked);
  if (helper > 0) waitpid(helper, NULL, __WALL);
  prctl(PR_SET_PTRACER, 0, 0, 0, 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(stack, stack_of_helper);
}

#endif
