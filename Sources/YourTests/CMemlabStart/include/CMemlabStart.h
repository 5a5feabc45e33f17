#ifndef C_LEAK_CHECK_START_H
#define C_LEAK_CHECK_START_H

#include <stdbool.h>

/// Starts to record the heap, unless it is being recorded.
///
/// Runs by itself before `main` in every program that this is linked into, so that no object is
/// older than the recording. With `LEAKCHECK_RECORDING=on-use` in the environment it waits for the
/// first check; with `off`, it does nothing.
void leak_check_start_recording(void);

/// Whether the heap has been recorded since before `main`.
bool leak_check_records_everything(void);

#endif
