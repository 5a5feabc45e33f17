#ifndef PLATFORM_H
#define PLATFORM_H

#include "CMemlabRecorder.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEAP_RECORDER_SANITIZED 1
#endif
#endif

// The processors whose addresses the shadow's directory has a place for, see `USER_ADDRESS_BITS`.
#if defined(__linux__) && defined(__GLIBC__) && defined(__LP64__) && \
    (defined(__x86_64__) || defined(__aarch64__)) && !defined(HEAP_RECORDER_SANITIZED) && \
    !defined(MEMLAB_PORTABLE)
#define HEAP_RECORDER_AVAILABLE 1
#else
#define HEAP_RECORDER_AVAILABLE 0
#endif

#define HIDDEN __attribute__((visibility("hidden")))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#endif
