/* compile.c - Grout's compiler by its C API
 *
 * Part of Grout. Compiles a file for a target, says what is wrong with it, and
 * writes the artifact, which include/grout-c/Runtime.h runs. */

#include "grout-c/Compiler.h"

#include <stdio.h>
#include <stdlib.h>

/* All of a file; the caller frees it. */
static char *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *data = NULL;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    long end = ftell(file);
    rewind(file);
    data = end >= 0 ? malloc((size_t)end + 1) : NULL;
    *size = data ? fread(data, 1, (size_t)end, file) : 0;
  }
  if (file)
    fclose(file);
  return data;
}

static void printDiagnostics(const grout_compiler *compiler) {
  static const char *const severities[] = {"error", "warning", "remark",
                                           "note"};
  for (size_t i = 0; i != grout_compiler_num_diagnostics(compiler); ++i) {
    grout_diagnostic d;
    d.struct_size = sizeof(d);
    if (grout_compiler_diagnostic(compiler, i, &d) == GROUT_COMPILER_OK)
      fprintf(stderr, "%s:%u: %s: %s: %s\n", d.file, d.line,
              severities[d.severity], d.op[0] ? d.op : "program", d.reason);
  }
}

/* Writes the output. */
static int writeOutput(const grout_compiler *compiler, const char *path) {
  const void *data;
  size_t size;
  if (grout_compiler_output(compiler, &data, &size) != GROUT_COMPILER_OK)
    return 1;
  FILE *file = fopen(path, "wb");
  int isWritten = file && fwrite(data, 1, size, file) == size;
  if (!file || fclose(file) != 0 || !isWritten) {
    perror(path);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: compile INPUT.mlir TARGET OUTPUT.grout\n");
    return 2;
  }
  size_t size = 0;
  char *program = readFile(argv[1], &size);
  if (!program) {
    perror(argv[1]);
    return 1;
  }
  grout_compiler *compiler = NULL;
  int failed = grout_compiler_create(&compiler) != GROUT_COMPILER_OK ||
               grout_compiler_set_option(compiler, "target", argv[2]) !=
                   GROUT_COMPILER_OK ||
               grout_compiler_set_option(compiler, "mode", "auto") !=
                   GROUT_COMPILER_OK ||
               grout_compiler_compile(compiler, program, size, argv[1]) !=
                   GROUT_COMPILER_OK;
  if (failed)
    fprintf(stderr, "compile: %s\n", grout_compiler_last_error());
  printDiagnostics(compiler);
  failed = failed || writeOutput(compiler, argv[3]);
  grout_compiler_destroy(compiler);
  free(program);
  return failed;
}
