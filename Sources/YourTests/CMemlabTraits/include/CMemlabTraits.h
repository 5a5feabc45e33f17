#ifndef C_LEAK_CHECK_ALL_H
#define C_LEAK_CHECK_ALL_H

#include <stdbool.h>

/// Whether `LEAKCHECK=all` stands in the environment.
bool leak_check_all_is_on(void);

/// How many tests of Swift Testing were given LeakCheck's trait.
int leak_check_all_tests_reached(void);

/// Whether the program has tests of Swift Testing, as far as that is known.
bool leak_check_all_has_tests(void);

#endif
