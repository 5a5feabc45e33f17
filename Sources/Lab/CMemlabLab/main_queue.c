#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabLab.h"
#include "platform.h"

#include <stddef.h>

#if defined(__linux__)

#include <sys/syscall.h>
#include <unistd.h>

bool memlab_main_queue_is_own(void) {
  return _dispatch_main_queue_callback_4CF && syscall(SYS_gettid) == getpid();
}

void memlab_main_queue_run(void) { _dispatch_main_queue_callback_4CF(NULL); }

#elif defined(__APPLE__)

#include <pthread.h>

extern void _dispatch_main_queue_callback_4CF(void *message) __attribute__((weak_import));

bool memlab_main_queue_is_own(void) { return _dispatch_main_queue_callback_4CF && pthread_main_np(); }

void memlab_main_queue_run(void) { _dispatch_main_queue_callback_4CF(NULL); }

#else

bool memlab_main_queue_is_own(void) { return false; }

void memlab_main_queue_run(void) {}

#endif
