#ifndef C_CHILD_PROCESS_H
#define C_CHILD_PROCESS_H

#include <stdbool.h>

/// Copies this process. Swift makes `fork` unavailable, because most programs have several threads:
/// the locks that other threads hold stay locked in the copy.
///
/// Assumes that the calling thread is the only one of the process. The copy may then start threads of
/// its own, Swift's pool included.

/// Whether a process can be copied in this build: on Linux, outside of sanitizer builds.
bool child_process_available(void);

/// Makes a file in memory for what a child writes; it is closed in programs that the child starts.
/// @return its descriptor, -1 when the kernel has no such files.
int child_process_output(void);

/// Copies this process. The copy ends when this process ends.
/// @param output where the copy's standard output and standard error go; if negative, its standard
///   output goes where the standard error goes.
/// @return the copy's id; 0 in the copy; -1 when there can be none, with the reason in `errno`.
int child_process_fork(int output);

#endif
