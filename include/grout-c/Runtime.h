//===- Runtime.h - Loading and running Grout artifacts ------------*- C -*-===//
//
// Part of Grout. The C API of libGroutRuntime.so, which has no LLVM in it.
//
// A *module* is a loaded, validated artifact. A *session* is a module's plan
// made ready on a device: code loaded, intermediates allocated, semaphores
// zeroed. A session runs any number of times.
//
//     grout_module *module;
//     grout_session_config config;
//     grout_session *session;
//     grout_session_config_init(&config);
//     if (grout_module_load_file("mlp.grout", &module) != GROUT_OK ||
//         grout_session_create(module, &config, &session) != GROUT_OK ||
//         grout_session_run(session, inputs, outputs, NULL) != GROUT_OK)
//       fprintf(stderr, "%s\n", grout_last_error());
//
// Errors. A function that can fail returns a grout_status; the message, which
// says what is wrong and where it can what would fix it, is then in
// grout_last_error() of the same thread. Out parameters are written only on
// success. No function throws or ends the process.
//
// Threads. Modules are immutable: any number of threads may query one and
// create sessions from it. Different sessions may be used at the same time. One
// session may be used by one thread at a time, except that two calls of
// grout_session_run on it wait for each other, and that
// grout_session_describe_state may be called beside one. A CUDA session has one
// set of intermediates and semaphores, so that runs of it (graph replays too)
// must be ordered on the device: one stream, or streams that wait for each
// other.
//
// Trust. An artifact carries machine code. Loading validates everything around
// that code, and creating a session runs its initialisers; load only artifacts
// whose origin you trust.
//
// Compatibility. Functions, enumerators and fields are added, never changed;
// GROUT_RUNTIME_API_VERSION counts the additions.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_C_RUNTIME_H
#define GROUT_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define GROUT_RUNTIME_API
#else
#define GROUT_RUNTIME_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GROUT_RUNTIME_API_VERSION 5

/// A buffer that a caller passes starts at a multiple of so many bytes, as the
/// plan's device needs: a cache line of the CPU, an access of the GPU.
#define GROUT_CPU_BUFFER_ALIGNMENT 64
#define GROUT_CUDA_BUFFER_ALIGNMENT 16

/// What is enough for all devices, and what the runtime's own buffers have.
#define GROUT_BUFFER_ALIGNMENT 256

typedef struct grout_module grout_module;
typedef struct grout_session grout_session;

typedef enum grout_status {
  GROUT_OK = 0,
  /// The caller broke a rule of this API: a null pointer, an index out of
  /// range, a buffer that is misaligned or overlaps another.
  GROUT_ERROR_INVALID_ARGUMENT = 1,
  /// A file could not be opened or read.
  GROUT_ERROR_IO = 2,
  /// Not an artifact, or one that is damaged or inconsistent.
  GROUT_ERROR_INVALID_ARTIFACT = 3,
  /// An artifact of a newer format version.
  GROUT_ERROR_NEWER_VERSION = 4,
  /// There is no such device: no CUDA driver library, no GPU, bad ordinal.
  GROUT_ERROR_NO_DEVICE = 5,
  /// The CUDA driver is older than Grout needs.
  GROUT_ERROR_DRIVER_TOO_OLD = 6,
  /// The code is for another architecture than the device has.
  GROUT_ERROR_WRONG_TARGET = 7,
  /// The device cannot hold as many tiles at once as the artifact's proof of
  /// deadlock freedom assumes, or a kernel does not fit it at all.
  GROUT_ERROR_TOO_FEW_RESIDENTS = 8,
  GROUT_ERROR_OUT_OF_MEMORY = 9,
  /// A tile waited too long; the message names launch, task and semaphore. The
  /// session cannot run again. CUDA: see grout_session_check.
  GROUT_ERROR_TIMEOUT = 10,
  /// Tiles broke the semaphore protocol of docs/KernelABI.md, for instance by
  /// posting more often than is waited for. The session cannot run again.
  GROUT_ERROR_SYNCHRONISATION = 11,
  /// The code could not be loaded: missing entry point, PTX that the driver
  /// refuses, unresolved symbols.
  GROUT_ERROR_LOAD = 12,
  /// A CUDA call failed.
  GROUT_ERROR_CUDA = 13,
  /// The artifact has no such part, for instance no reference plan.
  GROUT_ERROR_NOT_FOUND = 14,
  /// A defect of the runtime itself.
  GROUT_ERROR_INTERNAL = 15
} grout_status;

typedef enum grout_element_type {
  GROUT_F16 = 0,
  GROUT_BF16 = 1,
  GROUT_F32 = 2,
  GROUT_F64 = 3,
  /// A truth value: one byte, 0 or 1.
  GROUT_I1 = 4,
  GROUT_I8 = 5,
  GROUT_I16 = 6,
  GROUT_I32 = 7,
  GROUT_I64 = 8
} grout_element_type;

typedef enum grout_device {
  /// Worker threads of this process. Pointers are host pointers.
  GROUT_DEVICE_CPU = 0,
  /// An NVIDIA GPU. Pointers are device pointers of its primary context.
  GROUT_DEVICE_CUDA = 1
} grout_device;

/// Which of an artifact's plans.
typedef enum grout_plan {
  /// The compiled function.
  GROUT_PLAN_COMPILED = 0,
  /// The same function, computed plainly in higher precision. Its inputs and
  /// outputs have the same shapes and often other element types.
  GROUT_PLAN_REFERENCE = 1,
  /// No plan; it lets the type hold every int, so that a wrong one is refused.
  GROUT_PLAN_INVALID = 0x7fffffff
} grout_plan;

/// A dense row-major tensor of a plan's signature.
typedef struct grout_tensor_info {
  /// Valid as long as the module.
  const char *name;
  grout_element_type element_type;
  uint32_t rank;
  /// `rank` sizes in elements, outermost first. Valid as long as the module.
  const int64_t *shape;
  /// Size of the buffer that grout_session_run takes for it.
  uint64_t bytes;
} grout_tensor_info;

/// Takes `size` bytes of text, which no NUL ends; `user` is what the caller of
/// the describing function passed. What is described may come in several
/// pieces, in order, in the caller's thread. It must return: no longjmp.
typedef void (*grout_text_writer)(const char *text, size_t size, void *user);

/// How to create a session. Call grout_session_config_init, then change fields.
typedef struct grout_session_config {
  /// sizeof(grout_session_config) of the caller; set by the init function.
  size_t struct_size;
  /// Default GROUT_PLAN_COMPILED.
  grout_plan plan;
  /// CPU: worker threads, each standing for one resident tile. 0, the default,
  /// means one for each processor that this process may use, and as many as
  /// the plan needs to be free of deadlock. At most 1024.
  uint32_t workers;
  /// CUDA: ordinal of the device, as CUDA_VISIBLE_DEVICES leaves them.
  int32_t cuda_ordinal;
  /// CPU: a run fails once a tile waits and no tile of the launch has ended or
  /// posted for this many seconds. 0 means never. Default 60.
  double timeout_seconds;
  /// Nonzero: every run first fills the intermediates with NaN (0xff bytes), on
  /// the device and in order. For tests.
  uint32_t poison_intermediates;
  /// CPU, for tests: nonzero makes workers sleep at random before tiles and
  /// before posts, as a hash of this seed and the tile decides.
  uint64_t delay_seed;
  /// Nonzero: the session has no memory for intermediates. Each run gets it
  /// from the caller (grout_session_run_in). Since version 5.
  uint32_t caller_workspace;
} grout_session_config;

/// GROUT_RUNTIME_API_VERSION of the library.
GROUT_RUNTIME_API uint32_t grout_runtime_api_version(void);

/// The message of the calling thread's last failure, or "". Valid until the
/// thread's next call of a function that can fail.
GROUT_RUNTIME_API const char *grout_last_error(void);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Reads and validates an artifact file. Nothing of it is executed.
GROUT_RUNTIME_API grout_status grout_module_load_file(const char *path,
                                                      grout_module **module);

/// The same from memory, which is copied.
GROUT_RUNTIME_API grout_status grout_module_load_memory(const void *data,
                                                        size_t size,
                                                        grout_module **module);

/// Sessions keep what they need of a module; null is allowed.
GROUT_RUNTIME_API void grout_module_destroy(grout_module *module);

/// Strings of the artifact, valid as long as the module: the producer
/// ("grout 0.1.0"), the compiled function's name, the target ("h200", "cpu")
/// and the mode ("serial", "pdl", "overlap", "persistent").
GROUT_RUNTIME_API const char *grout_module_producer(const grout_module *module);
GROUT_RUNTIME_API const char *grout_module_entry(const grout_module *module);
GROUT_RUNTIME_API const char *grout_module_target(const grout_module *module);
GROUT_RUNTIME_API const char *grout_module_mode(const grout_module *module);

/// 1 if the module has this plan, otherwise 0.
GROUT_RUNTIME_API int grout_module_has_plan(const grout_module *module,
                                            grout_plan plan);

/// The device that a plan runs on. Fails with GROUT_ERROR_NOT_FOUND if there is
/// no such plan.
GROUT_RUNTIME_API grout_status grout_module_device(const grout_module *module,
                                                   grout_plan plan,
                                                   grout_device *device);

/// The bytes of a plan's workspace: the memory for its intermediates, which
/// share what is not used at the same time. Some may be in outputs instead,
/// until these are written. Fails with GROUT_ERROR_NOT_FOUND if there is no
/// such plan. Since version 5.
GROUT_RUNTIME_API grout_status grout_module_workspace(
    const grout_module *module, grout_plan plan, uint64_t *bytes);

/// How many inputs and outputs the function has; the same for both plans.
GROUT_RUNTIME_API uint32_t grout_module_num_inputs(const grout_module *module);
GROUT_RUNTIME_API uint32_t grout_module_num_outputs(const grout_module *module);

/// An input or output as this plan takes it. Fails with GROUT_ERROR_NOT_FOUND
/// if there is no such plan, GROUT_ERROR_INVALID_ARGUMENT if the index is out
/// of range.
GROUT_RUNTIME_API grout_status grout_module_input(const grout_module *module,
                                                  grout_plan plan,
                                                  uint32_t index,
                                                  grout_tensor_info *info);
GROUT_RUNTIME_API grout_status grout_module_output(const grout_module *module,
                                                   grout_plan plan,
                                                   uint32_t index,
                                                   grout_tensor_info *info);

/// The number of the input that output `index` of a plan is in place of: both
/// are one buffer, which is read and then holds the result. -1 if it has a
/// buffer of its own, as all outputs of a reference plan, or if there is no
/// such plan or output. Since version 4.
GROUT_RUNTIME_API int64_t grout_module_in_place(const grout_module *module,
                                                grout_plan plan,
                                                uint32_t index);

/// The coarsest floating-point type that a plan rounds to, which its results
/// are no more exact than: of its results, and of what the function rounds to
/// on the way, which a reference plan knows; without one, of intermediates.
/// GROUT_F64 if it rounds to none coarser. Fails with GROUT_ERROR_NOT_FOUND if
/// there is no such plan.
GROUT_RUNTIME_API grout_status grout_module_precision(
    const grout_module *module, grout_plan plan, grout_element_type *type);

/// Writes what the artifact holds, for people: signature, code, and each plan's
/// buffers and launches. The text is in lines, each ended by '\n', and may
/// change from version to version. `user` may be null.
GROUT_RUNTIME_API grout_status grout_module_describe(const grout_module *module,
                                                     grout_text_writer write,
                                                     void *user);

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// Fills in the defaults.
GROUT_RUNTIME_API void grout_session_config_init(grout_session_config *config);

/// Makes a plan ready on its device (see grout_module_device). A null `config`
/// means the defaults. Here all memory is allocated and all code is loaded; for
/// CUDA, in the primary context of the device, which may exist already, with
/// device synchronisation, and so not while a stream is being captured.
GROUT_RUNTIME_API grout_status grout_session_create(
    const grout_module *module, const grout_session_config *config,
    grout_session **session);

/// Runs the plan. `inputs` and `outputs` hold one pointer for each input and
/// output, in order, to buffers of at least the plan's tensor sizes, aligned to
/// GROUT_CPU_BUFFER_ALIGNMENT or GROUT_CUDA_BUFFER_ALIGNMENT, as the device is.
/// An output may overlap neither an input nor another output.
///
/// CPU: `stream` is null; the call returns when the outputs are written.
///
/// CUDA: `stream` is a CUstream of the session's context. The call only
/// enqueues: it allocates nothing, synchronises nothing and resets nothing, and
/// may be captured into a CUDA graph, which may be replayed any number of
/// times. A plan with branches has streams of the session's own, too: they wait
/// for what `stream` has before the call, and `stream` for them before the call
/// returns. The buffers and the session must outlive the work and the graph. A
/// CUDA error during the run surfaces where the caller synchronises.
GROUT_RUNTIME_API grout_status grout_session_run(grout_session *session,
                                                 const void *const *inputs,
                                                 void *const *outputs,
                                                 void *stream);

/// The same for a session with `caller_workspace`: intermediates are in the
/// `workspace_bytes` bytes at `workspace`, at least as many as
/// grout_module_workspace says, aligned to GROUT_BUFFER_ALIGNMENT. It overlaps
/// nothing that the run reads or writes, and holds nothing before and after it.
/// CUDA: it belongs to the run until the work that was enqueued has ended, and
/// to a graph that the run was captured in. Since version 5.
GROUT_RUNTIME_API grout_status grout_session_run_in(
    grout_session *session, const void *const *inputs, void *const *outputs,
    void *workspace, uint64_t workspace_bytes, void *stream);

/// CUDA, for artifacts compiled with --debug-sync, whose waits give up after a
/// time: waits until the work of the session's context has ended, and fails
/// with GROUT_ERROR_TIMEOUT if in any run so far, graph replays too, a wait
/// gave up. The message names launch, tile, semaphore, expected and seen value.
/// What the run and all later ones wrote is then undefined, and the session
/// cannot run again. Not while a stream of the context is being captured.
///
/// For all other artifacts it returns GROUT_OK at once.
GROUT_RUNTIME_API grout_status grout_session_check(grout_session *session);

/// For tests of the semaphores' wrap-around: after exactly one run, puts the
/// synchronisation state where `epochs` further runs would have left it. CUDA:
/// synchronises the context.
GROUT_RUNTIME_API grout_status grout_session_skip_epochs(grout_session *session,
                                                         uint32_t epochs);

/// CUDA, for runs that do not end: writes how far each launch is (ticket,
/// blocks that have finished, epoch and semaphores, the words of
/// docs/KernelABI.md), or why that cannot be read, as one line each. It does
/// not wait for the runs, nor for a thread that is in grout_session_run. Not
/// while a stream of the context is being captured. The text may change from
/// version to version. `user` may be null.
///
/// CPU: writes nothing, as a run that hangs fails by itself, with a message
/// that says where.
GROUT_RUNTIME_API grout_status grout_session_describe_state(
    const grout_session *session, grout_text_writer write, void *user);

/// Frees everything. CUDA: work that was enqueued must have ended. Null is
/// allowed.
GROUT_RUNTIME_API void grout_session_destroy(grout_session *session);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_RUNTIME_H
