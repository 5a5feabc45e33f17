#ifndef C_MEMLAB_AGENT_H
#define C_MEMLAB_AGENT_H

#include <stdint.h>

#include <stdbool.h>

/// What is preloaded into a program that is watched, or linked into it with the product MemlabAgent.
///
/// It records the heap from before `main` on, and answers requests for a snapshot on a socket of the
/// user's. It starts by itself where `memlab_agent_is_wanted`. It removes from the environment the
/// variables that asked for it and that preload it: programs that this one starts are not watched.
/// Where there is `MEMLAB_READY`, the number of a descriptor, it writes a byte there: `1` when it
/// records. Where there is `MEMLAB_AT_EXIT`, `main` does not begin before `exit` was requested.
/// `MEMLAB_SYMBOLS` names the program's file before it was stripped, for the probe. Nothing of it
/// runs in a signal handler or in a process that this one forks.
///
/// A request is one line. `snapshot` is answered with what the probe writes in a copy of the process;
/// `exit` is answered with a line when the program ends, which then waits until the peer closes the
/// connection, for a minute at most, and only one peer is told; `facts` with a line of facts. An error is a line that begins with `memlab.error `.

/// What the probe exports as `memlab_probe_report`. It is called in a copy of the process, where it
/// may do what it likes: nothing of it reaches the process itself.
///
/// @param out the socket that the answer goes to.
/// @param request the line that was received; at its end, after ` symbols=`, the file that names the
///   program's functions, if one was given.
/// @param moment a serial of the recorder's: blocks with later ones were made while the process was
///   copied.
/// @return the exit code of the copy: 0, or 1 when an error was written.
typedef int memlab_probe_report(int out, const char *request, uint64_t moment);

/// Whether the environment asks for a record of the heap. Preloaded: where it has `MEMLAB_PROBE`, the
/// path of the library that reads the heap, and `MEMLAB_DIRECTORY`, the folder of the socket. Linked:
/// where it has that folder, or `MEMLAB_AGENT` with another value than `0`, and then the folder is one
/// in which memlab looks for it.
bool memlab_agent_is_wanted(void);

#endif
