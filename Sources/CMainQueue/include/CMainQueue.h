#ifndef C_MAIN_QUEUE_H
#define C_MAIN_QUEUE_H

#include <stdbool.h>

/// Runs what is in libdispatch's main queue now, and not what that adds to it. The main thread calls
/// it; on any other it does nothing.
///
/// Assumes that libdispatch exports what Foundation's run loop calls for the same purpose:
/// `_dispatch_main_queue_callback_4CF` in
/// https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/queue.c.
/// @return whether this build can do it, and the calling thread is the main thread.
bool main_queue_run(void);

#endif
