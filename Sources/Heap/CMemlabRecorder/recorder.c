#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "allocator.h"
#include "spares.h"

#if HEAP_RECORDER_AVAILABLE

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the recorder does, and which allocator serves for it. Each file below this one knows nothing of
// those above.

static atomic_bool spoils;

static const allocator *wanted_allocator(uint32_t mode) {
  if (mode == 0) return memlab_unrecorded_allocator();
  return atomic_load(&spoils) ? &memlab_spoiling_allocator : &memlab_recording_allocator;
}

static void mode_changed(void) {
  uint32_t mode;
  do {
    mode = atomic_load(&memlab_shadow.mode);
    if ((mode & SHADOW_COPY) != 0) return;
    memlab_serve_with(wanted_allocator(mode));
  } while (mode != atomic_load(&memlab_shadow.mode));
}

static uint32_t turn_on(uint32_t mode) {
  uint32_t before = atomic_fetch_or(&memlab_shadow.mode, mode);
  mode_changed();
  return before;
}

static void turn_off(uint32_t mode) {
  atomic_fetch_and(&memlab_shadow.mode, ~mode);
  mode_changed();
}

static void stop_holding_in_child(void) { turn_off(SHADOW_HOLDING); }

// The barrier is announced at the first start: in a process that has one thread yet that costs
// nothing, later the kernel takes milliseconds.
static bool prepare(void) {
  bool is_first;
  if (!memlab_shadow_prepare(&is_first)) return false;
  if (is_first) {
    memlab_spares_prepare();
    pthread_atfork(NULL, NULL, stop_holding_in_child);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  }
  return true;
}

void heap_recorder_start(void) {
  if (!memlab_is_glibc_below() || !prepare()) return;
  memlab_shadow_begin();
  turn_on(SHADOW_RECORDING);
}

void heap_recorder_stop(void) { turn_off(SHADOW_RECORDING); }

bool heap_recorder_is_on(void) { return shadow_is(SHADOW_RECORDING); }

// A barrier in every running thread of the process: what it costs here, the allocator's entry
// points save on every call.
static bool barrier_everywhere(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool heap_recorder_hold_frees(void) {
  if (shadow_is(SHADOW_COPY)) return true;
  if ((turn_on(SHADOW_HOLDING) & SHADOW_HOLDING) != 0) return false;
  if (barrier_everywhere()) return true;
  heap_recorder_release_frees();
  return false;
}

void heap_recorder_release_frees(void) {
  if (shadow_is(SHADOW_COPY)) return;
  turn_off(SHADOW_HOLDING);
  memlab_recording_allocator_release();
}

void heap_recorder_spoil_frees(void) {
  atomic_store(&spoils, true);
  mode_changed();
}

void heap_recorder_keep_freed(bool are_kept) { memlab_spoiling_allocator_keep(are_kept); }

void heap_recorder_enter_copy(size_t limit) {
  memlab_copy_allocator_limit(limit);
  atomic_store(&memlab_shadow.mode, SHADOW_RECORDING | SHADOW_COPY);
  memlab_serve_with(&memlab_copy_allocator);
}

const char *heap_recorder_obstacle(void) {
  if (!memlab_is_glibc_below()) return "the program has another allocator than glibc's";
  void *block = malloc(1);
  bool is_placed = has_place((uintptr_t)block);
  free(block);
  return is_placed ? NULL : "the allocator's addresses have a tag or more than 48 bits";
}

#endif
