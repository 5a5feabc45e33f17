// Gives a Swift 6.3 program the lists of tasks that later runtimes keep: to be preloaded.
//
// As https://github.com/swiftlang/swift/pull/90547 describes them: 64 lists, linked through two words of
// a task's private part, and functions that walk them. A task is listed when it is created and taken off
// when its memory is. LISTED_TASKS=open makes a list lead back into itself, LISTED_TASKS=short leaves
// each second task out, LISTED_TASKS=late those that are made once the lists were walked twice, as by a
// check of the runtime, and LISTED_TASKS=off all.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct task {
  const void *metadata;
  char public_part[28];
  uint32_t low_id;
  char status[104];
  uint32_t high_id;
  char rest[44];
  // Words that the runtime of Swift 6.3 leaves alone.
  struct task *next, *previous;
};
_Static_assert(offsetof(struct task, low_id) == 36, "the number's lower half");
_Static_assert(offsetof(struct task, high_id) == 144, "the number's upper half");
_Static_assert(sizeof(struct task) == 208, "the size of a task");

struct list {
  struct task *first;
  size_t size;
} __attribute__((aligned(64)));

struct list _swift_concurrency_task_registry[64];
bool _swift_concurrency_task_registry_enabled = true;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *fault = "";
static int walks;
static void (*destroy)(void *) __attribute__((swiftcall));

static struct list *list_of(struct task *task) {
  uint64_t number = (uint64_t)task->high_id << 32 | task->low_id;
  return &_swift_concurrency_task_registry[(number ^ number >> 8) & 63];
}

__attribute__((swiftcall)) size_t _swift_concurrency_debug_task_registryCount(void) {
  size_t size = 0;
  for (int index = 0; index < 64; index++) size += _swift_concurrency_task_registry[index].size;
  return size;
}

__attribute__((swiftcall)) void _swift_concurrency_debug_task_registryWalk(
    void (*call)(void *, void *), void *context) {
  if (pthread_mutex_trylock(&lock)) return;
  walks++;
  for (int index = 0; index < 64; index++) {
    struct list *list = &_swift_concurrency_task_registry[index];
    struct task *task = list->first;
    for (size_t steps = list->size * 2; task && steps; task = task->next, steps--) call(task, context);
  }
  pthread_mutex_unlock(&lock);
}

static void insert(struct task *task) {
  static int count;
  if (!_swift_concurrency_task_registry_enabled) return;
  pthread_mutex_lock(&lock);
  int number = count++;
  if ((!strcmp(fault, "short") && number % 2) || (!strcmp(fault, "late") && walks > 1)) {
    pthread_mutex_unlock(&lock);
    return;
  }
  struct list *list = list_of(task);
  task->next = list->first;
  task->previous = NULL;
  if (list->first) list->first->previous = task;
  list->first = task;
  list->size++;
  if (!strcmp(fault, "open")) task->next = task;
  pthread_mutex_unlock(&lock);
}

static void __attribute__((swiftcall)) destroyed(struct task *task) {
  pthread_mutex_lock(&lock);
  struct list *list = list_of(task);
  bool is_listed = list->first == task || task->previous;
  if (is_listed) {
    struct task *next = task->next == task ? NULL : task->next;
    if (task->previous) task->previous->next = next;
    else list->first = next;
    if (next) next->previous = task->previous;
    list->size--;
  }
  pthread_mutex_unlock(&lock);
  destroy(task);
}

// The function that destroys a task stands two words before the first word of its metadata.
static void begin(void) {
  const void **metadata = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskMetadata");
  char *place = (char *)*metadata - 16;
  memcpy(&destroy, place, sizeof destroy);
  uintptr_t page = (uintptr_t)place & ~(uintptr_t)4095;
  mprotect((void *)page, 8192, PROT_READ | PROT_WRITE);
  void (*mine)(struct task *) __attribute__((swiftcall)) = destroyed;
  memcpy(place, &mine, sizeof mine);
  if (getenv("LISTED_TASKS")) fault = getenv("LISTED_TASKS");
  _swift_concurrency_task_registry_enabled = strcmp(fault, "off");
}

struct created {
  struct task *task;
  void *context;
};

__attribute__((swiftcall)) struct created swift_task_create(
    size_t flags, void *options, const void *type, void *function, void *capture) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static struct created (*create)(size_t, void *, const void *, void *, void *)
      __attribute__((swiftcall));
  if (!create) create = dlsym(RTLD_NEXT, "swift_task_create");
  pthread_once(&once, begin);
  struct created created = create(flags, options, type, function, capture);
  insert(created.task);
  return created;
}
