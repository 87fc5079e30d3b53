//===- Compiler.h - Compiling programs to artifacts ---------------*- C -*-===//
//
// Part of Grout. The C API of libGroutCompiler.so, which is what grout-compile
// does, for programs that embed it. Artifacts run by grout-c/Runtime.h.
//
// A *compiler* has options, and the results of its last compilation.
//
//     grout_compiler *compiler;
//     const void *artifact;
//     size_t size;
//     if (grout_compiler_create(&compiler) != GROUT_COMPILER_OK ||
//         grout_compiler_set_option(compiler, "target", "h200") !=
//             GROUT_COMPILER_OK ||
//         grout_compiler_compile(compiler, text, length, "mlp.mlir") !=
//             GROUT_COMPILER_OK ||
//         grout_compiler_output(compiler, &artifact, &size) !=
//             GROUT_COMPILER_OK)
//       fprintf(stderr, "%s\n", grout_compiler_last_error());
//
// Errors. A function that can fail returns a grout_compiler_status; the message
// is then in grout_compiler_last_error() of the same thread. What is wrong with
// a program is told by diagnostics, of which that message is the first error.
// Out parameters are written only on success. Nothing is printed, and no
// function throws.
//
// Threads. Different compilers may be used at the same time; one of them by one
// thread at a time, except that any thread may call grout_compiler_cancel. A
// compilation runs on a thread of its own, with a stack that is large enough,
// while the caller waits.
//
// Trust. Programs may be anything: what is not supported is refused. A tuning
// database and the paths of tools are the caller's.
//
// Compatibility. Functions, enumerators and fields are added, never changed;
// GROUT_COMPILER_API_VERSION counts the additions.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_C_COMPILER_H
#define GROUT_C_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define GROUT_COMPILER_API
#else
#define GROUT_COMPILER_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GROUT_COMPILER_API_VERSION 4

typedef struct grout_compiler grout_compiler;

typedef enum grout_compiler_status {
  GROUT_COMPILER_OK = 0,
  /// The caller broke a rule of this API: a null pointer, an index out of
  /// range, an option or a value that there is not, options that contradict
  /// each other.
  GROUT_COMPILER_ERROR_INVALID_ARGUMENT = 1,
  /// The program is malformed, or not supported; the diagnostics say where and
  /// why.
  GROUT_COMPILER_ERROR_REFUSED = 2,
  /// grout_compiler_cancel was called.
  GROUT_COMPILER_ERROR_CANCELLED = 3,
  /// There is no such result: nothing has been compiled, or it was not asked
  /// for.
  GROUT_COMPILER_ERROR_NOT_FOUND = 4,
  GROUT_COMPILER_ERROR_OUT_OF_MEMORY = 5
} grout_compiler_status;

typedef enum grout_severity {
  GROUT_SEVERITY_ERROR = 0,
  GROUT_SEVERITY_WARNING = 1,
  /// What a user may want to know: a fallback that was taken.
  GROUT_SEVERITY_REMARK = 2,
  /// More about the diagnostic before it that is none.
  GROUT_SEVERITY_NOTE = 3
} grout_severity;

/// One diagnostic. Strings are valid until the compiler's next compilation.
typedef struct grout_diagnostic {
  /// sizeof(grout_diagnostic) of the caller, who sets it.
  size_t struct_size;
  grout_severity severity;
  /// The op that is refused, such as "linalg.conv_2d_nhwc_hwcf"; "" if the
  /// diagnostic is about none.
  const char *op;
  /// What is wrong, without the op.
  const char *reason;
  /// Where: the name that was given for the program, or what its locations say,
  /// and the line and column from 1 on; "" and 0 if the place has none.
  const char *file;
  uint32_t line;
  uint32_t column;
  /// The whole location, as MLIR prints it: of a module that was made by an
  /// importer it often names the line of the model.
  const char *location;
} grout_diagnostic;

/// What a processor's code is.
typedef enum grout_target_code {
  GROUT_TARGET_CODE_NATIVE = 0,
  GROUT_TARGET_CODE_PTX = 1
} grout_target_code;

/// A processor that the compiler makes code for. Strings are valid for ever.
typedef struct grout_target {
  /// sizeof(grout_target) of the caller, who sets it.
  size_t struct_size;
  /// What the option "target" takes.
  const char *name;
  /// What code is made for: "sm_90a", "x86-64-v3".
  const char *architecture;
  grout_target_code code;
  /// 1 if there are tile kernels for matrix products and convolutions, for
  /// those with factors of f32, and for attention; otherwise 0.
  uint32_t has_products;
  uint32_t has_f32_products;
  uint32_t has_attention;
  /// What tells a device from others of its architecture: SMs, or worker
  /// threads that plans are made for; bytes per second that the clock and the
  /// bus of its memory make (0 on a CPU); and bytes of the last-level cache.
  uint32_t processors;
  uint64_t peak_memory_rate;
  uint64_t cache_bytes;
} grout_target;

/// GROUT_COMPILER_API_VERSION of the library.
GROUT_COMPILER_API uint32_t grout_compiler_api_version(void);

/// The version of Grout: "0.1.0".
GROUT_COMPILER_API const char *grout_compiler_version(void);

/// The message of the calling thread's last failure, or "". Valid until the
/// thread's next call of a function that can fail.
GROUT_COMPILER_API const char *grout_compiler_last_error(void);

/// How many targets there are.
GROUT_COMPILER_API size_t grout_compiler_num_targets(void);

/// Fills in as much of `target` as its `struct_size` says; targets are in the
/// order of their names.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_target(size_t index, grout_target *target);

/// A compiler with default options.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_create(grout_compiler **compiler);

/// Null is allowed. Not during a compilation.
GROUT_COMPILER_API void grout_compiler_destroy(grout_compiler *compiler);

/// Sets an option for the compilations to come. Names and values are those of
/// grout-compile's flags, without dashes: "target", "mode", "edge-modes"
/// (separated by commas), "granularity", "tuning", "ptxas", "emit",
/// "scop-tree", "scop-solver", "scop-restructure", "f32-products", "rounding",
/// "launch-policy";
/// "strict-types", "sanitize-thread" ("true" or "false"). Others are
/// "reference" (a plan to check against; default "true"),
/// "debug-sync-milliseconds" (default "0", never), and "explain" and "timeline"
/// ("true" or "false", the default), which give more results. With
/// "list-tilings", a number (default "0"), the output is so many tilings of
/// each product, as JSON, and nothing is compiled. Fails with
/// GROUT_COMPILER_ERROR_INVALID_ARGUMENT, and sets nothing, if there is no such
/// option or value; files are looked at by the compilation.
GROUT_COMPILER_API grout_compiler_status grout_compiler_set_option(
    grout_compiler *compiler, const char *name, const char *value);

/// Compiles a module, MLIR as text or bytecode; text need not end in a zero.
/// If it has a public function on tensors, functions that are private or have
/// no tensor in their signature are the host's, and left out, unless another
/// one refers to them. `name` stands for the module in diagnostics. Fails with
/// GROUT_COMPILER_ERROR_INVALID_ARGUMENT if the options contradict each other.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_compile(grout_compiler *compiler, const void *program,
                       size_t size, const char *name);

/// Makes the compilation that runs, if one does, fail with
/// GROUT_COMPILER_ERROR_CANCELLED when the pass that runs has ended. Returns at
/// once; from any thread.
GROUT_COMPILER_API void grout_compiler_cancel(grout_compiler *compiler);

/// What was compiled: an artifact, or what the option "emit" says. Valid until
/// the next compilation. Fails with GROUT_COMPILER_ERROR_NOT_FOUND if the last
/// one failed.
GROUT_COMPILER_API grout_compiler_status grout_compiler_output(
    const grout_compiler *compiler, const void **data, size_t *size);

/// With option "explain": tilings and why they were chosen, dependences,
/// semaphores and the proof; for a GPU the threads and the shared memory of
/// each launch, and its registers, if there is a ptxas. Valid until the next
/// compilation; there also if that failed later.
GROUT_COMPILER_API grout_compiler_status grout_compiler_explanation(
    const grout_compiler *compiler, const char **text, size_t *size);

/// With option "timeline": the modelled tiles over the processors, as SVG.
GROUT_COMPILER_API grout_compiler_status grout_compiler_timeline(
    const grout_compiler *compiler, const char **svg, size_t *size);

/// What was said during the last compilation, in order; also if it succeeded.
GROUT_COMPILER_API size_t
grout_compiler_num_diagnostics(const grout_compiler *compiler);

/// Fills in as much of `diagnostic` as its `struct_size` says.
GROUT_COMPILER_API grout_compiler_status grout_compiler_diagnostic(
    const grout_compiler *compiler, size_t index, grout_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_COMPILER_H
