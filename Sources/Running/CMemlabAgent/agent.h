#ifndef AGENT_H
#define AGENT_H

#include "CMemlabAgent.h"

#if defined(__linux__) && defined(__GLIBC__) && defined(__LP64__) && !defined(MEMLAB_PORTABLE)
#define AGENT_AVAILABLE 1
#else
#define AGENT_AVAILABLE 0
#endif

#include <stdbool.h>
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

/// Where the agent's socket, the probe and the program's symbols are.
typedef struct {
  char probe[4096];
  char socket[108];
  /// The program's file before it was stripped; empty where none was named.
  char symbols[4096];
} agent_places;
extern HIDDEN agent_places memlab_places;

/// What reads the heap, where it is linked into the program; else NULL.
extern memlab_probe_report linked_report __asm__("memlab_probe_report") __attribute__((weak));

/// What the environment says under a name; NULL where that is nothing.
HIDDEN const char *memlab_environment_value(const char *name);
/// Takes what asked for the agent out of the environment.
HIDDEN void memlab_environment_clean(void);

/// Writes the path of a folder that only the user can enter, the first of those in which memlab looks
/// for sockets. Makes it where it is missing.
/// @return false when there is none.
HIDDEN bool memlab_folder_find(char *path, size_t capacity);

/// Whether a folder is the user's, and nobody else may enter it. Links do not count.
HIDDEN bool memlab_folder_is_own(const char *path);

/// Makes the socket; -1 where that fails.
HIDDEN int memlab_listener_open(const char *path);
/// Removes the socket's name, where it is still this one's.
HIDDEN void memlab_listener_remove(const char *path);
/// Whether a descriptor is still that of the socket.
HIDDEN bool memlab_listener_is_own(int listener);
/// Waits for a peer that has the same user, or is root; -1 when the socket is gone.
HIDDEN int memlab_listener_accept(int listener);
/// The time in milliseconds, of a clock that is never set.
HIDDEN long memlab_milliseconds(void);
/// Waits until a peer has sent something or is gone; false where `end` comes first.
HIDDEN bool memlab_peer_wait(int peer, long end);
/// Whether a peer has closed the connection.
HIDDEN bool memlab_peer_is_gone(int peer);
/// Reads a line of at most `capacity - 1` bytes, within two seconds.
HIDDEN bool memlab_peer_read_line(int peer, char *line, size_t capacity);
/// Writes all of a text. No signal is raised when the peer is gone.
HIDDEN void memlab_peer_write(int peer, const char *text);
/// Writes an error's line, from a sentence and what is known beyond.
HIDDEN void memlab_peer_write_error(int peer, const char *sentence, const char *detail);

/// Copies the process and lets the probe answer in the copy.
HIDDEN void memlab_answer_from_copy(int peer, const char *request);

#endif
