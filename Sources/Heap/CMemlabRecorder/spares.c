#include "spares.h"

#if HEAP_RECORDER_AVAILABLE

#include <pthread.h>

#include "allocator.h"

__thread spare_list memlab_spare_lists[SPARE_LISTS] __attribute__((tls_model("initial-exec")));
static __thread bool has_begun __attribute__((tls_model("initial-exec")));
static pthread_key_t at_end_of_thread;
static atomic_bool has_key;

// What other destructors free after this one goes to glibc.
static void give_back_all(void *lists) {
  for (spare_list *list = lists; list < memlab_spare_lists + SPARE_LISTS; list++) {
    void *block;
    while ((block = spare_take(list)) != NULL) __libc_free(block);
    list->vacancies = 0;
  }
}

void memlab_spares_prepare(void) {
  atomic_store(&has_key, pthread_key_create(&at_end_of_thread, give_back_all) == 0);
}

// glibc may allocate for a thread's value.
void memlab_spares_begin_in_thread(void) {
  if (has_begun || !atomic_load(&has_key)) return;
  has_begun = true;
  heap_recorder_pause_thread();
  bool is_set = pthread_setspecific(at_end_of_thread, memlab_spare_lists) == 0;
  heap_recorder_resume_thread();
  for (size_t i = 0; is_set && i < SPARE_LISTS; i++) memlab_spare_lists[i].vacancies = SPARES_PER_LIST;
}

bool memlab_spares_have(const void *block) {
  if (((const void *const *)block)[1] != &memlab_shadow) return false;
  for (size_t i = 0; i < SPARE_LISTS; i++) {
    void **spare = memlab_spare_lists[i].first;
    for (; spare != NULL; spare = spare[0]) {
      if (spare == block) return true;
    }
  }
  return false;
}

#endif
