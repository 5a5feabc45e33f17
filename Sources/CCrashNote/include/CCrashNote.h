#ifndef C_CRASH_NOTE_H
#define C_CRASH_NOTE_H

#include <stdbool.h>
#include <stddef.h>

/// Says what was under way when the process crashes, before whatever else the crash sets off.
///
/// The sentence is ready before it is needed: a handler of signals may neither allocate nor lock.
/// Assumes what POSIX promises ("Signal Concepts"), that `write`, `poll`, `sigaction` and `raise`
/// may be called there. Swift's backtracer, which installs its handlers before `main`, is then
/// called with what the signal has brought, as if nothing stood before it; where there is none, the
/// signal ends the process.

/// Begins to hear the signals of a crash; the first call counts.
void crash_note_install(void);

/// Sets the sentence that is written to the standard error; without one, nothing is said. Called by
/// one thread at a time.
/// @param text copied, up to 1023 bytes.
void crash_note_set(const char *text, size_t length);

/// Waits for a crash with a sentence. The thread that has crashed then waits for
/// `crash_note_release`, two seconds at most.
/// @return whether there is one; also false when something else has ended the wait early.
bool crash_note_wait(int milliseconds);

/// Lets a crash take its course.
void crash_note_release(void);

#endif
