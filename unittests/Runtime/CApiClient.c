/* A client of the C API that is C: that this compiles is half of the test. */

#include "CApiClient.h"

static void count(const char *text, size_t size, void *user) {
  (void)text;
  *(size_t *)user += size;
}

size_t grout_test_count_description(const grout_module *module) {
  size_t bytes = 0;
  return grout_module_describe(module, count, &bytes) == GROUT_OK ? bytes : 0;
}
