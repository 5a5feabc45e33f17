#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent.h"

#if AGENT_AVAILABLE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CMemlabRecorder.h"

// A copy that faults exits with this number plus that of the signal.
enum { FAULT = 100 };

static void *library;
static memlab_probe_report *report;

// Called before the process is copied, because opening a library takes the loader's lock, runs
// initializers and allocates.
static bool load_probe(int peer) {
  if (report == NULL) report = linked_report;
  if (report != NULL) return true;
  library = dlopen(memlab_places.probe, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) report = (memlab_probe_report *)dlsym(library, "memlab_probe_report");
  if (report != NULL) return true;
  const char *why = dlerror();
  memlab_peer_write_error(peer, "the library that reads the heap does not fit this program: ",
                   why == NULL ? memlab_places.probe : why);
  return false;
}

typedef struct {
  pid_t id;
  int error;
} copied_process;

// The process that was copied.
static pid_t program;

// The kernel is asked directly: no handlers of `fork` run. Without an exit signal the program is not
// told when the copy ends, and its own `wait` does not see it, see `__WALL` in
// https://man7.org/linux/man-pages/man2/waitpid.2.html.
//
// It happens while this thread lists the images, that is, holds the lock that guards their list. So
// that lock is not another's in the copy. The lock knows its owner by a number that glibc keeps in
// the thread's memory, which is the same in the copy.
static int clone_here(struct dl_phdr_info *info, size_t size, void *context) {
  copied_process *copy = context;
  program = getpid();
  copy->id = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
  copy->error = errno;
  return 1;
}

// A fault of the copy is not the program's: none of its handlers runs, no core is written.
static void end_with_fault(int signal) { _exit(FAULT + signal); }

static void handle_faults(void) {
  static char memory[64 << 10];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = end_with_fault, .sa_flags = SA_ONSTACK};
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t open;
  sigemptyset(&open);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    sigaction(faults[i], &action, NULL);
    sigaddset(&open, faults[i]);
  }
  pthread_sigmask(SIG_UNBLOCK, &open, NULL);
}

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

// Connections of the program's must not stay open for as long as the copy lives.
static void close_all_but(int first, int second) {
  for (int file = 0; file < 2; file++) {
    if (file != first && file != second) close(file);
  }
  int kept[] = {2, first, second};
  qsort(kept, 3, sizeof *kept, compare);
  for (int i = 0; i < 3; i++) {
    unsigned from = (unsigned)kept[i] + 1;
    unsigned to = i == 2 ? ~0u : (unsigned)kept[i + 1] - 1;
    if (from > to) continue;
    if (syscall(SYS_close_range, from, to, 0) == 0) continue;
    // Linux before 5.9 has no such call.
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    unsigned most = limit.rlim_cur < 1 << 16 ? (unsigned)limit.rlim_cur : 1 << 16;
    for (unsigned file = from; file <= to && file < most; file++) close((int)file);
  }
}

// Where memory runs short, the kernel is to end the copy and not the program.
static void offer_to_be_killed(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, "1000", 4);
  close(file);
}

static _Noreturn void read_copy(int peer, int alive, const char *request, uint64_t moment,
                                size_t memory) {
  handle_faults();
  heap_recorder_enter_copy(memory);
  close_all_but(peer, alive);
  // Each of these may fail where a sandbox forbids it. Then the copy runs without it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before.
  if (getppid() != program) _exit(FAULT + SIGKILL);
  prctl(PR_SET_NAME, "memlab-copy");
  setpriority(PRIO_PROCESS, 0, 5);
  offer_to_be_killed();
  char line[1024 + sizeof memlab_places.symbols];
  if (memlab_places.symbols[0] != 0) {
    snprintf(line, sizeof line, "%s symbols=%s", request, memlab_places.symbols);
    request = line;
  }
  _exit(report(peer, request, moment));
}

// The copy keeps the pipe's other end open until it ends. A process that the program forks meanwhile
// may keep it too, so the kernel is asked from time to time.
static bool wait_for_end(pid_t copy, int alive, long limit, int *status) {
  long end = memlab_milliseconds() + limit;
  while (true) {
    if (waitpid(copy, status, __WALL | WNOHANG) != 0) return true;
    long left = end - memlab_milliseconds();
    if (left <= 0) return false;
    struct pollfd pipe = {.fd = alive, .events = POLLIN};
    if (poll(&pipe, 1, left < 500 ? (int)left : 500) > 0) {
      // The pipe closes before the process counts as ended.
      while (waitpid(copy, status, __WALL) < 0 && errno == EINTR) {
      }
      return true;
    }
  }
}

static void tell_of(int peer, int status) {
  char text[64];
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : code > FAULT ? code - FAULT : 0;
  if (signal == 0) return;
  snprintf(text, sizeof text, "%d", signal);
  memlab_peer_write_error(peer, "reading the copy of the process ended with signal ", text);
}

// After how many seconds the copy is ended. Meanwhile no other peer is served.
static long limit_of(const char *request) {
  const char *found = strstr(request, "limit=");
  long seconds = found == NULL ? 0 : strtol(found + strlen("limit="), NULL, 10);
  return seconds <= 0 ? 120 : seconds > 600 ? 600 : seconds;
}

// A guess, with room to spare: what reading takes was not measured for each block.
static size_t room_for_blocks(void) {
  size_t bytes;
  return ((size_t)256 << 20) + heap_recorder_count(&bytes) * 1024;
}

void memlab_answer_from_copy(int peer, const char *request) {
  if (!load_probe(peer)) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    memlab_peer_write_error(peer, "the process has no descriptors to spare: ", strerror(errno));
    return;
  }
  size_t memory = room_for_blocks();
  uint64_t moment = heap_recorder_moment();
  copied_process copy = {.id = -1};
  dl_iterate_phdr(clone_here, &copy);
  if (copy.id == 0) read_copy(peer, ends[1], request, moment, memory);
  close(ends[1]);
  if (copy.id < 0) {
    memlab_peer_write_error(peer, "the process cannot be copied: ", strerror(copy.error));
  } else {
    int status = 0;
    if (!wait_for_end(copy.id, ends[0], limit_of(request) * 1000, &status)) {
      kill(copy.id, SIGKILL);
      while (waitpid(copy.id, &status, __WALL) < 0 && errno == EINTR) {
      }
      memlab_peer_write_error(peer, "reading the copy of the process took too long", NULL);
    } else {
      tell_of(peer, status);
    }
  }
  close(ends[0]);
}

#endif
