#ifndef LAB_PLATFORM_H
#define LAB_PLATFORM_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LAB_SANITIZED 1
#endif
#endif

// Where the process can be copied and its clocks be replaced. A sanitizer brings both of its own.
#if defined(__linux__) && !defined(LAB_SANITIZED) && !defined(MEMLAB_PORTABLE)
#define LAB_HAS_PROCESS 1
#else
#define LAB_HAS_PROCESS 0
#endif

// Weak, so that a program without libdispatch still links.
#if defined(__linux__)
extern void _dispatch_main_queue_callback_4CF(void *message) __attribute__((weak));
#endif

#endif
