//===- Compiler.h - Compiling programs to artifacts ---------------*- C -*-===//
//
// Part of Grout. The C API of libGroutCompiler.so, for programs that embed the
// compiler: it does the same as grout-compile. grout-c/Runtime.h runs the
// artifacts.
//
// A *compiler* object holds options, and the results of its last compilation.
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
// Errors. A function that can fail returns a grout_compiler_status. If it
// fails, grout_compiler_last_error() returns the message in the same thread.
// Diagnostics describe the problems of a program; the message is then the first
// error among them. A function writes its out parameters only if it succeeds.
// No function prints anything or throws.
//
// Threads. Several threads may use different compilers at the same time. Only
// one thread at a time may use a compiler, except that any thread may call
// grout_compiler_cancel. A compilation runs on its own thread, which has a
// large enough stack, while the caller waits.
//
// Trust. A program may come from anywhere: the compiler refuses a program that
// it does not support. The caller chooses the tuning database and the paths of
// tools, and must trust them.
//
// Compatibility. New versions add functions, enumerators and fields, and never
// change existing ones. GROUT_COMPILER_API_VERSION counts these additions.
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

#define GROUT_COMPILER_API_VERSION 5

typedef struct grout_compiler grout_compiler;

typedef enum grout_compiler_status {
  GROUT_COMPILER_OK = 0,
  /// The caller broke a rule of this API, for example with a null pointer, an
  /// index out of range, an unknown option or value, or options that contradict
  /// each other.
  GROUT_COMPILER_ERROR_INVALID_ARGUMENT = 1,
  /// The program is malformed or not supported. The diagnostics say where and
  /// why.
  GROUT_COMPILER_ERROR_REFUSED = 2,
  /// The caller cancelled the compilation with grout_compiler_cancel.
  GROUT_COMPILER_ERROR_CANCELLED = 3,
  /// There is no such result: nothing has been compiled, or the options did not
  /// ask for this result.
  GROUT_COMPILER_ERROR_NOT_FOUND = 4,
  GROUT_COMPILER_ERROR_OUT_OF_MEMORY = 5
} grout_compiler_status;

typedef enum grout_severity {
  GROUT_SEVERITY_ERROR = 0,
  GROUT_SEVERITY_WARNING = 1,
  /// Information for the user, for example that the compiler took a fallback.
  GROUT_SEVERITY_REMARK = 2,
  /// More details about the last diagnostic before this one that is not a note.
  GROUT_SEVERITY_NOTE = 3
} grout_severity;

/// One diagnostic. Its strings are valid until the compiler's next compilation.
typedef struct grout_diagnostic {
  /// The caller sets this to its sizeof(grout_diagnostic).
  size_t struct_size;
  grout_severity severity;
  /// The op that the diagnostic is about, such as "linalg.conv_2d_nhwc_hwcf",
  /// or "" if there is no such op.
  const char *op;
  /// The problem, without the op.
  const char *reason;
  /// The place of the problem: a file, which is the name that the caller gave
  /// to the program or a file that the program's locations name; line and
  /// column count from 1. "" and 0 if the location names no file.
  const char *file;
  uint32_t line;
  uint32_t column;
  /// The whole location, as MLIR prints it. If an importer made the module, the
  /// location often names the line of the model.
  const char *location;
} grout_diagnostic;

/// The form of the code that the compiler makes for a target.
typedef enum grout_target_code {
  GROUT_TARGET_CODE_NATIVE = 0,
  GROUT_TARGET_CODE_PTX = 1
} grout_target_code;

/// A processor that the compiler makes code for. The strings are always valid.
typedef struct grout_target {
  /// The caller sets this to its sizeof(grout_target).
  size_t struct_size;
  /// The value of the option "target" that selects this target.
  const char *name;
  /// The architecture that the code is for: "sm_90a", "x86-64-v3".
  const char *architecture;
  grout_target_code code;
  /// 1 if the target has tile kernels for GEMMs and convolutions, for GEMMs and
  /// convolutions with f32 operands, and for attention, respectively; otherwise
  /// 0.
  uint32_t has_products;
  uint32_t has_f32_products;
  uint32_t has_attention;
  /// Properties by which devices of one architecture differ: the number of SMs,
  /// or of worker threads, that plans are made for; the peak memory rate in
  /// bytes per second, from the memory's clock and bus width (0 on a CPU); and
  /// the size of the last-level cache in bytes.
  uint32_t processors;
  uint64_t peak_memory_rate;
  uint64_t cache_bytes;
  /// Limits of kernels for GEMMs, convolutions and attention. All fields from
  /// here on are there since version 5. If a maximum or a limit is 0, there is
  /// none.
  ///
  /// The number of 16-bit elements of which a multiple is between the begins of
  /// two rows of a matrix, or of two pixels of an image.
  uint32_t row_unit;
  /// Limits of a convolution along each axis of the image, in pixels. The reach
  /// of a filter is the distance of its last element from its first:
  ///
  ///   stride <= max_convolution_stride
  ///   reach < convolution_reach_limit
  ///   padding <= convolution_corner_limit
  ///   -convolution_corner_limit <= padding - reach < convolution_corner_limit
  uint32_t max_convolution_stride;
  uint32_t convolution_reach_limit;
  uint32_t convolution_corner_limit;
  /// Heads have a multiple of head_unit elements, up to max_head_elements.
  uint32_t head_unit;
  uint32_t max_head_elements;
  /// The most rows of a GEMM of groups, and the most groups.
  uint32_t max_group_rows;
} grout_target;

/// An option of a compiler. The strings are always valid. Since version 5.
typedef struct grout_option {
  /// The caller sets this to its sizeof(grout_option).
  size_t struct_size;
  /// The name that grout_compiler_set_option takes.
  const char *name;
  /// A text for people, without the default.
  const char *help;
  const char *default_value;
  /// All values, separated by commas, or "" if they cannot be listed. For
  /// example, an option for a file has "".
  const char *values;
} grout_option;

/// Returns the GROUT_COMPILER_API_VERSION of the library.
GROUT_COMPILER_API uint32_t grout_compiler_api_version(void);

/// Returns the version of Grout: "0.1.0".
GROUT_COMPILER_API const char *grout_compiler_version(void);

/// Returns the message of the calling thread's last failure, or "". The string
/// is valid until the thread's next call of a function that can fail.
GROUT_COMPILER_API const char *grout_compiler_last_error(void);

/// Returns the number of targets.
GROUT_COMPILER_API size_t grout_compiler_num_targets(void);

/// Describes target number `index`, in the order of the targets' names. Fills
/// in only the first `target->struct_size` bytes of `target`.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_target(size_t index, grout_target *target);

/// Returns the number of options. Since version 5.
GROUT_COMPILER_API size_t grout_compiler_num_options(void);

/// Describes option number `index`. Fills in only the first
/// `option->struct_size` bytes of `option`. Since version 5.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_option(size_t index, grout_option *option);

/// Creates a compiler with default options.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_create(grout_compiler **compiler);

/// Destroys a compiler that is not compiling. `compiler` may be null.
GROUT_COMPILER_API void grout_compiler_destroy(grout_compiler *compiler);

/// Sets an option for later compilations. For example, "target" takes "h200",
/// and "edge-modes" takes "pdl,overlap". grout_compiler_option lists the names,
/// which are those of grout-compile's flags without dashes, but for these:
///
/// - "reference" is "false" where grout-compile has --no-reference;
/// - "debug-sync-milliseconds" is a number where grout-compile has
///   --debug-sync; its default is "0", never;
/// - "explain" and "timeline" are "true" or "false", and ask for more results.
///
/// If "list-tilings" is a number N above "0", its default, the compiler
/// compiles nothing; the output is a list, as JSON, of the N fastest tilings of
/// each GEMM or convolution by the model.
///
/// Fails with GROUT_COMPILER_ERROR_INVALID_ARGUMENT, and sets nothing, if there
/// is no such option or value. Only the compilation opens files that options
/// name.
GROUT_COMPILER_API grout_compiler_status grout_compiler_set_option(
    grout_compiler *compiler, const char *name, const char *value);

/// Compiles a module, which is MLIR text or bytecode; text need not end in a
/// zero. `name` names the module in diagnostics. If the module has a public
/// function on tensors, the compiler leaves out host functions: functions that
/// are private or have no tensor in their signature, unless a compiled function
/// refers to them. Fails with GROUT_COMPILER_ERROR_INVALID_ARGUMENT if the
/// options contradict each other.
GROUT_COMPILER_API grout_compiler_status
grout_compiler_compile(grout_compiler *compiler, const void *program,
                       size_t size, const char *name);

/// Cancels the running compilation, if there is one: it fails with
/// GROUT_COMPILER_ERROR_CANCELLED when its current pass has ended. Returns at
/// once. Any thread may call this.
GROUT_COMPILER_API void grout_compiler_cancel(grout_compiler *compiler);

/// Returns the output of the last compilation: an artifact, or the form that
/// the option "emit" names. It is valid until the next compilation. Fails with
/// GROUT_COMPILER_ERROR_NOT_FOUND if the last compilation failed.
GROUT_COMPILER_API grout_compiler_status grout_compiler_output(
    const grout_compiler *compiler, const void **data, size_t *size);

/// Returns the explanation of the last compilation, if option "explain" is set.
/// It describes tilings and the reasons for them, dependences, semaphores and
/// the proof. For a GPU, it also describes the threads and the shared memory of
/// each launch, and its registers if there is a ptxas. It is valid until the
/// next compilation, and also exists if the compilation failed in a later step.
GROUT_COMPILER_API grout_compiler_status grout_compiler_explanation(
    const grout_compiler *compiler, const char **text, size_t *size);

/// Returns the timeline, if option "timeline" is set: an SVG drawing of the
/// modelled tiles over the processors.
GROUT_COMPILER_API grout_compiler_status grout_compiler_timeline(
    const grout_compiler *compiler, const char **svg, size_t *size);

/// Returns the number of diagnostics of the last compilation, in order. A
/// successful compilation may have diagnostics, too.
GROUT_COMPILER_API size_t
grout_compiler_num_diagnostics(const grout_compiler *compiler);

/// Copies diagnostic number `index`. Fills in only the first
/// `diagnostic->struct_size` bytes of `diagnostic`.
GROUT_COMPILER_API grout_compiler_status grout_compiler_diagnostic(
    const grout_compiler *compiler, size_t index, grout_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_COMPILER_H
