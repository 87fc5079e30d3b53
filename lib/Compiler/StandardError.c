//===- StandardError.c - stderr for the isl in the library ----------------===//
//
// Part of Grout. Debian builds libisl.a for executables: its code takes a
// variable of another library to be at a fixed distance. `stderr` is the only
// one that it uses; the linker makes that this variable instead, which is the
// library's own.
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#undef stderr

extern FILE *__real_stderr;
FILE *__wrap_stderr;

__attribute__((constructor)) static void initialise(void) {
  __wrap_stderr = __real_stderr;
}
