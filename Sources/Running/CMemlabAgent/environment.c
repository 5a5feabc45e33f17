#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent.h"

#if AGENT_AVAILABLE

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A setuid or setgid program ignores the environment.
const char *memlab_environment_value(const char *name) {
  const char *value = secure_getenv(name);
  return value == NULL || *value == 0 ? NULL : value;
}

static bool is_linked_and_wanted(void) {
  const char *wish = linked_report == NULL ? NULL : memlab_environment_value("MEMLAB_AGENT");
  return wish != NULL && strcmp(wish, "0") != 0;
}

bool memlab_agent_is_wanted(void) {
  if (is_linked_and_wanted()) return true;
  return memlab_environment_value("MEMLAB_DIRECTORY") != NULL &&
         (linked_report != NULL || memlab_environment_value("MEMLAB_PROBE") != NULL);
}

// In place, because a shell has an `unsetenv` of its own that does nothing yet. What the user
// preloads stays: MEMLAB_PRELOAD keeps it where the agent is preloaded, and else LD_PRELOAD is the
// user's.
void memlab_environment_clean(void) {
  char **to = environ;
  for (char **from = environ; from != NULL && *from != NULL; from++) {
    bool is_ours = linked_report == NULL && strncmp(*from, "LD_PRELOAD=", 11) == 0;
    if (is_ours || strncmp(*from, "MEMLAB_PROBE=", 13) == 0 ||
        strncmp(*from, "MEMLAB_DIRECTORY=", 17) == 0 || strncmp(*from, "MEMLAB_READY=", 13) == 0 ||
        strncmp(*from, "MEMLAB_AT_EXIT=", 15) == 0 || strncmp(*from, "MEMLAB_AGENT=", 13) == 0 ||
        strncmp(*from, "MEMLAB_SYMBOLS=", 15) == 0) {
      continue;
    }
    if (strncmp(*from, "MEMLAB_PRELOAD=", 15) == 0) {
      char *value = *from + strlen("MEMLAB_PRELOAD=");
      *to++ = memcpy(value - strlen("LD_PRELOAD="), "LD_PRELOAD=", strlen("LD_PRELOAD="));
      continue;
    }
    *to++ = *from;
  }
  if (to != NULL) *to = NULL;
}

#endif
