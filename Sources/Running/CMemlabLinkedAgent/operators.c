#include "CMemlabLinkedAgent.h"

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include <stddef.h>
#include <stdlib.h>

// The operators `new` and `delete` of C++, made of `malloc` and `free`.
//
// A library that replaces the allocator has operators, too. They do not belong to a program whose `malloc`
// and `free` are the agent's: jemalloc's `new` takes its own memory, and one of its operators `delete`
// calls `free`. All are weak, so that a program that has its own is linked with those.
#define OPERATOR(name) __asm__(name) __attribute__((weak))

extern void (*new_handler(void))(void) __asm__("_ZSt15get_new_handlerv") __attribute__((weak));
extern void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv") __attribute__((weak));

// Only the forms with `std::nothrow` may return null. They do not ask the handler, which may throw.
static void *made(size_t alignment, size_t size, int throws) {
  for (;;) {
    // A request for no bytes must give an address of its own: that of one byte.
    size_t asked = size == 0 ? 1 : size;
    void *block = alignment == 0 ? malloc(asked) : aligned_alloc(alignment, asked);
    if (block != NULL || !throws) return block;
    void (*handler)(void) = new_handler == NULL ? NULL : new_handler();
    if (handler != NULL) {
      handler();
    } else if (throw_bad_alloc != NULL) {
      throw_bad_alloc();
    } else {
      abort();
    }
  }
}

static void *own_make(size_t size) { return made(0, size, 1); }
static void *own_make_aligned(size_t size, size_t alignment) { return made(alignment, size, 1); }
void *make(size_t size) __asm__("_Znwm") __attribute__((weak, alias("own_make")));
void *make_aligned(size_t size, size_t alignment) __asm__("_ZnwmSt11align_val_t")
    __attribute__((weak, alias("own_make_aligned")));

// The others call these, and so one that a program has of its own: its `delete` expects what that has made.
// What that throws, a form with `std::nothrow` does not catch.
void *make_quietly(size_t size, const void *tag) OPERATOR("_ZnwmRKSt9nothrow_t");
void *make_quietly(size_t size, const void *tag) {
  return make == own_make ? made(0, size, 0) : make(size);
}
void *make_aligned_quietly(size_t size, size_t alignment, const void *tag)
    OPERATOR("_ZnwmSt11align_val_tRKSt9nothrow_t");
void *make_aligned_quietly(size_t size, size_t alignment, const void *tag) {
  return make_aligned == own_make_aligned ? made(alignment, size, 0) : make_aligned(size, alignment);
}

void drop(void *block) OPERATOR("_ZdlPv");
void drop(void *block) { free(block); }
void drop_aligned(void *block, size_t alignment) OPERATOR("_ZdlPvSt11align_val_t");
void drop_aligned(void *block, size_t alignment) { free(block); }

void *make_array(size_t size) OPERATOR("_Znam");
void *make_array(size_t size) { return make(size); }
void *make_array_quietly(size_t size, const void *tag) OPERATOR("_ZnamRKSt9nothrow_t");
void *make_array_quietly(size_t size, const void *tag) { return make_quietly(size, tag); }
void *make_array_aligned(size_t size, size_t alignment) OPERATOR("_ZnamSt11align_val_t");
void *make_array_aligned(size_t size, size_t alignment) { return make_aligned(size, alignment); }
void *make_array_aligned_quietly(size_t size, size_t alignment, const void *tag)
    OPERATOR("_ZnamSt11align_val_tRKSt9nothrow_t");
void *make_array_aligned_quietly(size_t size, size_t alignment, const void *tag) {
  return make_aligned_quietly(size, alignment, tag);
}

void drop_array(void *block) OPERATOR("_ZdaPv");
void drop_array(void *block) { drop(block); }
void drop_sized(void *block, size_t size) OPERATOR("_ZdlPvm");
void drop_sized(void *block, size_t size) { drop(block); }
void drop_array_sized(void *block, size_t size) OPERATOR("_ZdaPvm");
void drop_array_sized(void *block, size_t size) { drop_array(block); }
void drop_quietly(void *block, const void *tag) OPERATOR("_ZdlPvRKSt9nothrow_t");
void drop_quietly(void *block, const void *tag) { drop(block); }
void drop_array_quietly(void *block, const void *tag) OPERATOR("_ZdaPvRKSt9nothrow_t");
void drop_array_quietly(void *block, const void *tag) { drop_array(block); }
void drop_array_aligned(void *block, size_t alignment) OPERATOR("_ZdaPvSt11align_val_t");
void drop_array_aligned(void *block, size_t alignment) { drop_aligned(block, alignment); }
void drop_sized_aligned(void *block, size_t size, size_t alignment)
    OPERATOR("_ZdlPvmSt11align_val_t");
void drop_sized_aligned(void *block, size_t size, size_t alignment) {
  drop_aligned(block, alignment);
}
void drop_array_sized_aligned(void *block, size_t size, size_t alignment)
    OPERATOR("_ZdaPvmSt11align_val_t");
void drop_array_sized_aligned(void *block, size_t size, size_t alignment) {
  drop_array_aligned(block, alignment);
}
void drop_aligned_quietly(void *block, size_t alignment, const void *tag)
    OPERATOR("_ZdlPvSt11align_val_tRKSt9nothrow_t");
void drop_aligned_quietly(void *block, size_t alignment, const void *tag) {
  drop_aligned(block, alignment);
}
void drop_array_aligned_quietly(void *block, size_t alignment, const void *tag)
    OPERATOR("_ZdaPvSt11align_val_tRKSt9nothrow_t");
void drop_array_aligned_quietly(void *block, size_t alignment, const void *tag) {
  drop_array_aligned(block, alignment);
}

#endif
