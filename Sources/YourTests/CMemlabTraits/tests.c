#define _GNU_SOURCE
#include "CMemlabTraits.h"

#include "CMemlabProcess.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* What `@Test` expands to calls `Test.__function(named:in:xcTestCompatibleSelector:displayName:
   traits:…)` of Swift Testing for each test. A program's own function of that name comes before the
   library's. Those below hand one more trait on to the library's, and change nothing else.

   The names are those of Swift 6.3 and of 6.2, see
   https://github.com/swiftlang/swift-testing/blob/main/Sources/Testing/Test%2BMacro.swift. In 6.2 the
   type around a test is `(any ~Copyable.Type)?`, in 6.3 it is generic; both take one word. Where a
   name is another one, the library's function is called and no test is reached; a sentence says so at
   the end. */

// clang-format off
#define FUNCTIONS(X) \
  X(0, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits14sourceLocation10parameters12testFunctionACSS_xmSgs5NeverOSgSSSgSayAA0B5Trait_pGAA06SourceM0VSaySS05firstJ0_AQ06secondJ0ypXp4typetGyyYaYbKctRi_zRi0_zlFZ") /* no arguments */ \
  X(1, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments_14sourceLocation10parameters12testFunctionACSS_xmSgs5NeverOSgSSSgSayAA0B5Trait_pGq_yYaYbKcq0_yYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGy7ElementQy__A_Qy0_tYaYbKctSlR_s8SendableR_SlR0_sA2_R0_sA2_A0_RQsA2_A1_RQRi_zRi0_zr1_lFZ") /* two collections */ \
  X(2, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_xmSgs5NeverOSgSSSgSayAA0B5Trait_pGq_yYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGy7ElementQy_YaYbKctSlR_s8SendableR_sA1_A0_RQRi_zRi0_zr0_lFZ") /* one collection */ \
  X(3, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_xmSgs5NeverOSgSSSgSayAA0B5Trait_pGq_yYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGyq0__q1_t_tYaYbKctSlR_s8SendableR_sA_R0_sA_R1_q0__q1_t7ElementRt_Ri_zRi0_zr2_lFZ") /* a collection of pairs */ \
  X(4, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_xmSgs5NeverOSgSSSgSayAA0B5Trait_pGSDyq_q0_GyYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGyq__q0_t_tYaYbKctSHR_s8SendableR_sA0_R0_Ri_zRi0_zr1_lFZ") /* a dictionary */ \
  X(5, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_xmSgs5NeverOSgSSSgSayAA0B5Trait_pGs12Zip2SequenceVyq_q0_GyYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGy7ElementQy__A2_Qy0_tYaYbKctSlR_s8SendableR_SlR0_sA5_R0_sA5_A3_RQsA5_A4_RQRi_zRi0_zr1_lFZ") /* a zipped sequence */ \
  X(6, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits14sourceLocation10parameters12testFunctionACSS_ypRi_s_XPXpSgs5NeverOSgSSSgSayAA0B5Trait_pGAA06SourceM0VSaySS05firstJ0_AQ06secondJ0ypXp4typetGyyYaYbKctFZ") /* 6.2: no arguments */ \
  X(7, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments_14sourceLocation10parameters12testFunctionACSS_ypRi_s_XPXpSgs5NeverOSgSSSgSayAA0B5Trait_pGxyYaYbKcq_yYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGy7ElementQz_A_Qy_tYaYbKctSlRzs8SendableRzSlR_sA2_R_sA2_A0_RQsA2_A1_RQr0_lFZ") /* 6.2: two collections */ \
  X(8, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_ypRi_s_XPXpSgs5NeverOSgSSSgSayAA0B5Trait_pGxyYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGy7ElementQzYaYbKctSlRzs8SendableRzsA1_A0_RQlFZ") /* 6.2: one collection */ \
  X(9, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_ypRi_s_XPXpSgs5NeverOSgSSSgSayAA0B5Trait_pGxyYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGyq__q0_t_tYaYbKctSlRzs8SendableRzsA_R_sA_R0_q__q0_t7ElementRtzr1_lFZ") /* 6.2: a collection of pairs */ \
  X(10, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_ypRi_s_XPXpSgs5NeverOSgSSSgSayAA0B5Trait_pGSDyxq_GyYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGyx_q_t_tYaYbKctSHRzs8SendableRzsA0_R_r0_lFZ") /* 6.2: a dictionary */ \
  X(11, "$s7Testing4TestV10__function5named2in02xcB18CompatibleSelector11displayName6traits9arguments14sourceLocation10parameters12testFunctionACSS_ypRi_s_XPXpSgs5NeverOSgSSSgSayAA0B5Trait_pGs12Zip2SequenceVyxq_GyYaYbKcAA06SourceN0VSaySS05firstJ0_AR06secondJ0ypXp4typetGy7ElementQz_A2_Qy_tYaYbKctSlRzs8SendableRzSlR_sA5_R_sA5_A3_RQsA5_A4_RQr0_lFZ") /* 6.2: a zipped sequence */
// clang-format on

extern const void *leak_check_all_traits(const void *traits);

static atomic_int tests_reached;

bool leak_check_all_is_on(void) {
  const char *value = memlab_process_variable("LEAKCHECK");
  return value != NULL && strcmp(value, "all") == 0;
}

int leak_check_all_tests_reached(void) { return atomic_load(&tests_reached); }

#if defined(__linux__)
// The linker's names for the section in which `@Test` has noted each test, since Swift 6.3.
extern const char first_test[] __asm__("__start_swift5_tests")
    __attribute__((weak, visibility("hidden")));
extern const char end_of_tests[] __asm__("__stop_swift5_tests")
    __attribute__((weak, visibility("hidden")));

bool leak_check_all_has_tests(void) { return first_test != end_of_tests; }
#else
bool leak_check_all_has_tests(void) { return true; }
#endif

extern void leak_check_all_observe(void);

__attribute__((constructor)) static void observe_test_cases(void) {
  static const char problem[] =
      "LeakCheck: LEAKCHECK must be 'all', or not be set; now no whole test is judged.\n";
  const char *value = memlab_process_variable("LEAKCHECK");
  if (leak_check_all_is_on()) {
    leak_check_all_observe();
  } else if (value != NULL && *value != 0) {
    (void)!write(STDERR_FILENO, problem, sizeof problem - 1);
  }
}

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__) && !defined(MEMLAB_PORTABLE)

__attribute__((used, visibility("hidden"))) const void *leak_check_all_pass(const void *traits) {
  if (!leak_check_all_is_on()) return traits;
  atomic_fetch_add(&tests_reached, 1);
  return leak_check_all_traits(traits);
}

__attribute__((used, visibility("hidden"))) void *leak_check_all_functions[12];

#if defined(__x86_64__)

/* How Swift passes these arguments: the test's name in rdi and rsi, the type around it in rdx, a byte
   for an optional `Never` in rcx, the display name in r8 and r9, and the array of traits as the first
   word on the stack, above the address to return to. The result's address is in rax; r13 and r14 are
   Swift's own. Nine words keep the stack aligned, and move the traits up by 72 bytes. */
#define FORWARD(index, name)                                                                    \
  __asm__(".text\n.globl \"" name "\"\n.type \"" name "\", @function\n\"" name "\":\n"        \
          "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\n"              \
          "pushq %rax\npushq %r13\npushq %r14\n"                                               \
          "movq 80(%rsp), %rdi\ncall leak_check_all_pass\nmovq %rax, 80(%rsp)\n"                \
          "popq %r14\npopq %r13\npopq %rax\n"                                                  \
          "popq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\n"                    \
          "jmpq *leak_check_all_functions+8*" #index "(%rip)\n");

#else

/* On arm64 the traits are in x6, behind the name in x0 and x1, the type in x2, the optional `Never` in
   x3 and the display name in x4 and x5. The result's address is in x8; x20, x21 and x22 are Swift's
   own, and every function that is called keeps them. */
#define FORWARD(index, name)                                                                    \
  __asm__(".text\n.globl \"" name "\"\n.type \"" name "\", @function\n\"" name "\":\n"        \
          "stp x29, x30, [sp, #-80]!\nmov x29, sp\n"                                            \
          "stp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\n"               \
          "stp x7, x8, [sp, #64]\n"                                                             \
          "mov x0, x6\nbl leak_check_all_pass\nmov x6, x0\n"                                    \
          "ldp x7, x8, [sp, #64]\nldp x4, x5, [sp, #48]\nldp x2, x3, [sp, #32]\n"               \
          "ldp x0, x1, [sp, #16]\nldp x29, x30, [sp], #80\n"                                    \
          "adrp x16, leak_check_all_functions+8*" #index "\n"                                   \
          "ldr x16, [x16, :lo12:leak_check_all_functions+8*" #index "]\nbr x16\n");

#endif

FUNCTIONS(FORWARD)

#define NAME(index, name) name,
static const char *const names[] = {FUNCTIONS(NAME)};

__attribute__((constructor)) static void find_functions(void) {
  for (size_t index = 0; index < sizeof names / sizeof *names; index += 1) {
    leak_check_all_functions[index] = dlsym(RTLD_NEXT, names[index]);
  }
}

#endif
