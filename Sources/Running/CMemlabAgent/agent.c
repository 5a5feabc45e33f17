#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent.h"

#if AGENT_AVAILABLE

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "CMemlabRecorder.h"

agent_places memlab_places;

static pid_t owner;
static int listener = -1;
// Who is told when the program ends, and whom the agent talks to now.
static _Atomic(int) end_listener = -1, current_peer = -1;
// Who has read that it waits is told of the end, however soon that comes.
static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t end_listener_known;

static void answer(int peer, const char *request) {
  char facts[256];
  if (strncmp(request, "snapshot", 8) == 0) {
    memlab_answer_from_copy(peer, request);
  } else if (strcmp(request, "facts") == 0) {
    size_t bytes, blocks = heap_recorder_count(&bytes);
    snprintf(facts, sizeof facts, "memlab.agent 1 pid=%d blocks=%zu bytes=%zu\n", (int)owner, blocks,
             bytes);
    memlab_peer_write(peer, facts);
  } else {
    memlab_peer_write_error(peer, "this version does not know the request ", request);
  }
}

// There is one who is told of the end, as long as the connection is open.
static void listen_to_end(int peer) {
  int before = atomic_load(&end_listener);
  if (before >= 0 && !memlab_peer_is_gone(before)) {
    memlab_peer_write_error(peer, "somebody else waits for the end of the program", NULL);
    close(peer);
    return;
  }
  pthread_mutex_lock(&end_lock);
  memlab_peer_write(peer, "waiting\n");
  before = atomic_exchange(&end_listener, peer);
  pthread_mutex_unlock(&end_lock);
  if (before >= 0) close(before);
  sem_post(&end_listener_known);
}

static void *serve(void *context) {
  heap_recorder_pause_thread();
  prctl(PR_SET_NAME, "memlab-agent");
  int peer;
  char request[1024];
  while ((peer = memlab_listener_accept(listener)) >= 0) {
    atomic_store(&current_peer, peer);
    bool was_read = memlab_peer_read_line(peer, request, sizeof request);
    if (was_read && strcmp(request, "exit") == 0) {
      listen_to_end(peer);
    } else {
      if (was_read) answer(peer, request);
      close(peer);
    }
    atomic_store(&current_peer, -1);
  }
  return NULL;
}

// Signals are the program's: none is ever delivered to this thread.
static bool start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, serve, NULL);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error == 0;
}

// The agent's thread is not there, and the socket's file is the parent's.
static void leave_forked_child(void) {
  heap_recorder_stop();
  // A program that has closed all of its descriptors may have a file of its own under this number.
  if (listener >= 0 && memlab_listener_is_own(listener)) close(listener);
  int peers[] = {atomic_exchange(&end_listener, -1), atomic_exchange(&current_peer, -1)};
  for (int i = 0; i < 2; i++) {
    if (peers[i] >= 0) close(peers[i]);
  }
  listener = -1;
}

// Registered before anything of the program's, so called after. The peer looks at the heap now, with
// a request of its own, and then closes the connection. A minute is enough for that.
static void wait_for_last_look(void) {
  if (getpid() != owner) return;
  pthread_mutex_lock(&end_lock);
  int peer = atomic_exchange(&end_listener, -1);
  pthread_mutex_unlock(&end_lock);
  if (peer >= 0) {
    memlab_peer_write(peer, "exiting\n");
    memlab_peer_wait(peer, memlab_milliseconds() + 60 * 1000);
    close(peer);
  }
  memlab_listener_remove(memlab_places.socket);
}

// What the program's own file needs, which is listed first. The agent needs the runtime itself, so that
// it is always loaded. See `DT_NEEDED` in https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html.
static int find_core(struct dl_phdr_info *program, size_t size, void *has_core) {
  const ElfW(Dyn) *entries = NULL;
  for (int i = 0; i < program->dlpi_phnum; i++) {
    if (program->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    entries = (const ElfW(Dyn) *)(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
  }
  uintptr_t names = 0;
  for (const ElfW(Dyn) *entry = entries; entry != NULL && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
  }
  // The loader makes an address of it, where it can write there.
  if (names < program->dlpi_addr) names += program->dlpi_addr;
  for (const ElfW(Dyn) *entry = entries; entry != NULL && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag != DT_NEEDED) continue;
    const char *name = (const char *)names + entry->d_un.d_val;
    if (strncmp(name, "libswiftCore.so", strlen("libswiftCore.so")) == 0) *(bool *)has_core = true;
  }
  return 1;
}

static const char *start(const char *probe, const char *directory) {
  bool has_core = linked_report != NULL;
  if (!has_core) dl_iterate_phdr(find_core, &has_core);
  if (!has_core) {
    return "the program does not load libswiftCore.so; link the product MemlabAgent into it";
  }
  const char *unrecordable = heap_recorder_obstacle();
  if (unrecordable != NULL) return unrecordable;
  if (!heap_recorder_serves()) return "the program brings its own allocator";
  if (probe != NULL && strlen(probe) >= sizeof memlab_places.probe) {
    return "the path of memlab's libraries is too long";
  }
  if (probe != NULL) strcpy(memlab_places.probe, probe);
  int length = snprintf(memlab_places.socket, sizeof memlab_places.socket, "%s/%d", directory, (int)getpid());
  if (length >= (int)sizeof memlab_places.socket) return "the path of the socket is too long";
  heap_recorder_start();
  heap_recorder_seal();
  if (!heap_recorder_is_on()) return "there is no address space for a record of the heap";
  owner = getpid();
  sem_init(&end_listener_known, 0, 0);
  listener = memlab_listener_open(memlab_places.socket);
  if (listener < 0) {
    heap_recorder_stop();
    return strerror(errno);
  }
  pthread_atfork(NULL, NULL, leave_forked_child);
  atexit(wait_for_last_look);
  if (start_thread()) return NULL;
  heap_recorder_stop();
  close(listener);
  memlab_listener_remove(memlab_places.socket);
  return "no thread can be started";
}

// Who has started the program waits for this.
static void tell_starter(bool is_watched) {
  const char *number = memlab_environment_value("MEMLAB_READY");
  int file = number == NULL ? -1 : atoi(number);
  if (file <= 2) return;
  (void)!write(file, is_watched ? "1" : "0", 1);
  close(file);
}

// A program may end before its starter has asked to be told of its end, so its `main` waits for the
// question; but not longer than five seconds, because the starter may have been killed.
static void wait_for_end_listener(void) {
  if (memlab_environment_value("MEMLAB_AT_EXIT") == NULL) return;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 5;
  while (sem_timedwait(&end_listener_known, &end) < 0 && errno == EINTR) {
  }
}

// The program may go to another folder later. What cannot be found is said of the first snapshot.
static void find_symbols(void) {
  const char *file = memlab_environment_value("MEMLAB_SYMBOLS");
  if (file == NULL) return;
  char found[PATH_MAX];
  const char *path = realpath(file, found) == NULL ? file : found;
  if (strlen(path) < sizeof memlab_places.symbols) strcpy(memlab_places.symbols, path);
}

static const char *start_where_wanted(void) {
  const char *directory = memlab_environment_value("MEMLAB_DIRECTORY");
  find_symbols();
  char found[sizeof memlab_places.socket];
  if (directory == NULL) {
    if (!memlab_folder_find(found, sizeof found)) {
      return "there is no folder of the user's for a socket; name one with MEMLAB_SOCKETS";
    }
    directory = found;
  }
  if (!memlab_folder_is_own(directory)) return "the folder in MEMLAB_DIRECTORY is not the user's alone";
  return start(linked_report == NULL ? memlab_environment_value("MEMLAB_PROBE") : NULL, directory);
}

// Before other constructors of the program's file, which allocate.
__attribute__((constructor(102))) static void start_with_the_process(void) {
  if (!memlab_agent_is_wanted()) return heap_recorder_seal();
  const char *obstacle = start_where_wanted();
  if (obstacle != NULL) {
    char line[512];
    int length = snprintf(line, sizeof line, "memlab: not watched: %s\n", obstacle);
    if (length > 0) (void)!write(2, line, strlen(line));
  }
  tell_starter(obstacle == NULL);
  if (obstacle == NULL) wait_for_end_listener();
  memlab_environment_clean();
}

#endif
