#ifndef C_CRASH_NOTE_H
#define C_CRASH_NOTE_H

#include <stdbool.h>
#include <stddef.h>

/// Prints what the process was doing when it crashes, before Swift's backtrace or a core dump.
///
/// The sentence is stored in advance: a signal handler may neither allocate nor lock.
/// Assumes what POSIX promises ("Signal Concepts"): `write`, `poll`, `sigaction` and `raise` may be
/// called there. Swift's backtracer installs its handlers before `main`; they are called next, with
/// the same arguments. Where there is no backtracer, the signal ends the process.

/// Installs handlers for the signals of a crash. Only the first call has an effect.
void crash_note_install(void);

/// Ends a crash of this process without Swift's backtrace, unless the environment variable
/// `SWIFT_BACKTRACE` is set, as somebody who wants one does.
/// https://github.com/swiftlang/swift/blob/main/docs/Backtracing.rst
void crash_note_leave_out_backtrace(void);

/// Sets the sentence that is written to the standard error; without one, nothing is written. Must be
/// called by one thread at a time.
/// @param text copied, up to 1023 bytes.
void crash_note_set(const char *text, size_t length);

/// Waits for a crash with a sentence. The thread that has crashed then waits for
/// `crash_note_release`, two seconds at most.
/// @return whether there was one; false also when the wait ended early for another reason.
bool crash_note_wait(int milliseconds);

/// Lets the thread that has crashed continue.
void crash_note_release(void);

#endif
