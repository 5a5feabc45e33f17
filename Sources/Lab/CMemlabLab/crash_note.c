#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabLab.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV};
enum { crash_count = sizeof(crashes) / sizeof(*crashes), note_size = 1024 };
enum { release_timeout_milliseconds = 2000 };

static struct sigaction before[crash_count];
static int crashed[2] = {-1, -1};
static int released[2] = {-1, -1};

// Two, so that one is complete while the other is written.
static char notes[2][note_size];
// The index of the complete note times note_size, plus its length.
static atomic_size_t current;
static atomic_bool is_written;

static void write_note(void) {
  size_t now = atomic_load(&current);
  size_t length = now % note_size;
  if (length == 0 || atomic_exchange(&is_written, true)) return;
  ssize_t written = write(STDERR_FILENO, notes[now / note_size], length);
  written = write(crashed[1], "!", 1);
  (void)written;
}

static void wait_for_release(void) {
  struct pollfd request = {.fd = released[0], .events = POLLIN};
  if (atomic_load(&is_written)) poll(&request, 1, release_timeout_milliseconds);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i] != number) continue;
    if ((before[i].sa_flags & SA_SIGINFO) != 0) {
      before[i].sa_sigaction(number, info, context);
    } else {
      sigaction(number, &before[i], NULL);
      raise(number);
    }
  }
}

static void handle(int number, siginfo_t *info, void *context) {
  int error = errno;
  write_note();
  wait_for_release();
  errno = error;
  pass_on(number, info, context);
}

static bool make_pipe(int ends[2]) {
  if (pipe(ends) != 0) return false;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return true;
}

// A handler cannot run on a stack that infinite recursion has used up. Swift's backtracer installs
// a stack for signals, where it is enabled.
static void install_stack(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) return;
  stack = (stack_t){.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  if (stack.ss_sp != NULL) sigaltstack(&stack, NULL);
}

void memlab_crash_note_install(void) {
  if (crashed[0] >= 0 || !make_pipe(crashed) || !make_pipe(released)) return;
  install_stack();
  // The process that started this one may have blocked these signals. Since glibc 2.41, `abort`
  // calls no handler then.
  sigset_t wanted;
  sigemptyset(&wanted);
  for (int i = 0; i < crash_count; i++) sigaddset(&wanted, crashes[i]);
  pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
  for (int i = 0; i < crash_count; i++) {
    sigaction(crashes[i], NULL, &before[i]);
    // Keeps the mask of the handler that was there before. Swift's backtracer reads this process's
    // memory and needs the signal for an address that cannot be read, so nothing else may be
    // blocked.
    struct sigaction action = before[i];
    action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = handle;
    sigaction(crashes[i], &action, NULL);
  }
}

void memlab_crash_note_leave_out_backtrace(void) {
  if (getenv("SWIFT_BACKTRACE") != NULL) return;
  for (int i = 0; i < crash_count; i++) {
    struct sigaction action;
    sigaction(crashes[i], NULL, &action);
    bool is_ours = (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle;
    if (is_ours) {
      before[i] = (struct sigaction){.sa_handler = SIG_DFL};
    } else {
      signal(crashes[i], SIG_DFL);
    }
  }
}

void memlab_crash_note_set(const char *text, size_t length) {
  size_t next = 1 - atomic_load(&current) / note_size;
  if (length >= note_size) length = note_size - 1;
  memcpy(notes[next], text, length);
  atomic_store(&current, next * note_size + length);
}

bool memlab_crash_note_wait(int milliseconds) {
  struct pollfd request = {.fd = crashed[0], .events = POLLIN};
  char byte;
  if (poll(&request, 1, milliseconds) <= 0) return false;
  if ((request.revents & POLLIN) != 0) return read(crashed[0], &byte, 1) == 1;
  // The code under study has closed the descriptor, so `poll` returned at once: wait without it.
  poll(NULL, 0, milliseconds);
  return false;
}

void memlab_crash_note_release(void) {
  ssize_t written = write(released[1], "!", 1);
  (void)written;
}
