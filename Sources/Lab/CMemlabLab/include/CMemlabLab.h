#ifndef C_MEMLAB_LAB_H
#define C_MEMLAB_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// Four things that a trial needs of the process: to copy it, to say what it was doing when it crashed,
// to run what is in its main queue, and to stop its clocks. Each is in a file of its own.

// MARK: - A copy of the process

// Swift makes `fork` unavailable, because most programs have several threads: the locks that other
// threads hold stay locked in the copy.
//
// Assumes that the calling thread is the only one of the process. The copy may then start threads of
// its own, Swift's pool included.

/// Whether a process can be copied in this build: on Linux, outside of sanitizer builds.
bool memlab_child_process_available(void);

/// Makes a file in memory for what a child writes; it is closed in programs that the child starts.
/// @return its descriptor, -1 when the kernel has no such files.
int memlab_child_process_output(void);

/// Copies this process. The copy ends when this process ends.
/// @param output where the copy's standard output and standard error go; if negative, its standard
///   output goes where the standard error goes.
/// @return the copy's id; 0 in the copy; -1 when there can be none, with the reason in `errno`.
int memlab_child_process_fork(int output);

// MARK: - A crash

// Says what the process was doing when it crashed, before Swift's backtrace or a core dump.
//
// The sentence is stored in advance: a signal handler may neither allocate nor lock.
// Assumes what POSIX promises ("Signal Concepts"): `write`, `poll`, `sigaction` and `raise` may be
// called there. Swift's backtracer installs its handlers before `main`; they are called next, with
// the same arguments. Where there is no backtracer, the signal ends the process.

/// Installs handlers for the signals of a crash. Only the first call has an effect.
void memlab_crash_note_install(void);

/// Ends a crash of this process without Swift's backtrace, unless the environment variable
/// `SWIFT_BACKTRACE` is set, as somebody who wants one does.
/// https://github.com/swiftlang/swift/blob/main/docs/Backtracing.rst
void memlab_crash_note_leave_out_backtrace(void);

/// Sets the sentence that is written to the standard error; without one, nothing is written. Must be
/// called by one thread at a time.
/// @param text copied, up to 1023 bytes.
void memlab_crash_note_set(const char *text, size_t length);

/// Waits for a crash with a sentence. The thread that has crashed then waits for
/// `memlab_crash_note_release`, two seconds at most.
/// @return whether there was one; false also when the wait ended early for another reason.
bool memlab_crash_note_wait(int milliseconds);

/// Lets the thread that has crashed continue.
void memlab_crash_note_release(void);

// MARK: - The main queue

/// Whether the calling thread may run libdispatch's main queue: it is the main thread, and this build can
/// do it. Asks the kernel.
bool memlab_main_queue_is_own(void);

/// Runs what is in the main queue now, and not what that adds to it. Only for a thread whose own it is.
///
/// Assumes that libdispatch exports what Foundation's run loop calls for the same purpose:
/// `_dispatch_main_queue_callback_4CF` in
/// https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/queue.c.
void memlab_main_queue_run(void);

// MARK: - The clocks

/// Whether this build can replace the process's clocks: on Linux, outside of sanitizer builds.
int memlab_virtual_clock_available(void);

/// Stops every clock that the calling thread reads at `nanoseconds` past a fixed point, until the
/// next call. Other threads keep real time.
///
/// Assumes that `libswift_Concurrency` reads time through the dynamic symbol `clock_gettime`, which
/// this library defines for the whole process. Task.sleep(for:) computes its deadline from that
/// reading; with real time, the order of two sleepers would depend on how busy the machine is.
void memlab_virtual_clock_set(int64_t nanoseconds);

/// What a clock shows in nanoseconds, whatever `memlab_virtual_clock_set` has made of it.
int64_t memlab_real_nanoseconds(clockid_t clock);

#endif
