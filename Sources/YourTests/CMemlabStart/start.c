#include "CMemlabStart.h"

#include "CMemlabRecorder.h"
#include <stdlib.h>
#include <string.h>

static bool recording_is(const char *choice) {
  const char *value = memlab_process_variable("LEAKCHECK_RECORDING");
  return value != NULL && strcmp(value, choice) == 0;
}

static bool records_everything;

void leak_check_start_recording(void) {
  if (!heap_recorder_is_on() && !recording_is("off")) heap_recorder_start();
}

__attribute__((constructor)) static void start_with_the_process(void) {
  if (!recording_is("off")) memlab_prefer_exact_frames();
  if (recording_is("on-use")) return;
  leak_check_start_recording();
  records_everything = heap_recorder_is_on();
}

bool leak_check_records_everything(void) { return records_everything; }
