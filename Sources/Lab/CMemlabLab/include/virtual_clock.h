#ifndef MEMLAB_VIRTUAL_CLOCK_H
#define MEMLAB_VIRTUAL_CLOCK_H

#include <stdint.h>

/// Whether this build can replace the process's clocks: on Linux, outside of sanitizer builds.
int memlab_virtual_clock_available(void);

/// Stops every clock that the calling thread reads at `nanoseconds` past a fixed point, until the
/// next call. Other threads keep real time.
///
/// Assumes that `libswift_Concurrency` reads time through the dynamic symbol `clock_gettime`, which
/// this library defines for the whole process. Task.sleep(for:) computes its deadline from that
/// reading; with real time, the order of two sleepers would depend on how busy the machine is.
void memlab_virtual_clock_set(int64_t nanoseconds);

/// The nanoseconds since some moment in the past, on a clock that never stops.
int64_t memlab_real_nanoseconds(void);

#endif
