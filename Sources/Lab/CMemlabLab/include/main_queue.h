#ifndef C_MAIN_QUEUE_H
#define C_MAIN_QUEUE_H

#include <stdbool.h>

/// Whether the calling thread may run libdispatch's main queue: it is the main thread, and this build can
/// do it. Asks the kernel.
bool main_queue_is_own(void);

/// Runs what is in the main queue now, and not what that adds to it. Only for a thread whose own it is.
///
/// Assumes that libdispatch exports what Foundation's run loop calls for the same purpose:
/// `_dispatch_main_queue_callback_4CF` in
/// https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/queue.c.
void main_queue_run(void);

#endif
