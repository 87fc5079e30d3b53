//===- StandardError.c - stderr for the isl in the library ----------------===//
//
// Part of Grout. Debian builds libisl.a for executables: its code assumes that
// a variable of another library is at a fixed distance. It uses only one such
// variable, `stderr`. The linker replaces it by the variable in this file,
// which belongs to the library itself.
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#undef stderr

extern FILE *__real_stderr;
FILE *__wrap_stderr;

__attribute__((constructor)) static void initialise(void) {
  __wrap_stderr = __real_stderr;
}
