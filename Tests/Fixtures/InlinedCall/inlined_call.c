// A function whose first instruction comes from a line of another one.
__attribute__((always_inline)) static inline int inner(const int *number) { return *number; }

int outer(const int *number) {
  return inner(number);
}
