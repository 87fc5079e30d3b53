//===- Runtime.h - Loading and running Grout artifacts ------------*- C -*-===//
//
// Part of Grout. The C API of libGroutRuntime.so, which does not contain LLVM.
//
// A *module* is a loaded, validated artifact. A *session* is a module's plan,
// prepared for a device: its code is loaded, its intermediates are allocated,
// its semaphores are zero. A session runs any number of times.
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
// Errors. A function that can fail returns a grout_status. If it fails,
// grout_last_error() returns the message in the same thread. The message says
// what is wrong and, where possible, how to fix it. A function writes its out
// parameters only if it succeeds. No function throws or ends the process.
//
// Threads. Modules are immutable: any number of threads may query a module and
// create sessions from it. Several threads may use different sessions at the
// same time. Only one thread at a time may use a session, with two exceptions:
// two calls of grout_session_run on a session wait for each other, and
// grout_session_describe_state may run beside a call of grout_session_run. A
// CUDA session has one set of intermediates and semaphores. So its runs, graph
// replays too, must be ordered on the device: in one stream, or in streams that
// wait for each other.
//
// Trust. An artifact contains machine code. Loading validates everything but
// that code, and creating a session runs the code's initialisers. Load only
// artifacts whose origin you trust.
//
// Compatibility. New versions add functions, enumerators and fields, and never
// change existing ones. GROUT_RUNTIME_API_VERSION counts these additions.
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

#define GROUT_RUNTIME_API_VERSION 8

/// A buffer that a caller passes must start at a multiple of this number of
/// bytes, for plans on the CPU (a cache line) and on a GPU (the widest access).
#define GROUT_CPU_BUFFER_ALIGNMENT 64
#define GROUT_CUDA_BUFFER_ALIGNMENT 16

/// An alignment that is enough for all devices. The runtime's own buffers have
/// it.
#define GROUT_BUFFER_ALIGNMENT 256

typedef struct grout_module grout_module;
typedef struct grout_session grout_session;

typedef enum grout_status {
  GROUT_OK = 0,
  /// The caller broke a rule of this API, for example with a null pointer, an
  /// index out of range, or a buffer that is misaligned or overlaps another
  /// buffer.
  GROUT_ERROR_INVALID_ARGUMENT = 1,
  /// A file could not be opened or read.
  GROUT_ERROR_IO = 2,
  /// The data are not an artifact, or the artifact is damaged or inconsistent.
  GROUT_ERROR_INVALID_ARTIFACT = 3,
  /// The artifact has a newer format version than this runtime reads.
  GROUT_ERROR_NEWER_VERSION = 4,
  /// There is no such device: no CUDA driver library, no GPU, or a bad ordinal.
  GROUT_ERROR_NO_DEVICE = 5,
  /// The CUDA driver is older than Grout needs.
  GROUT_ERROR_DRIVER_TOO_OLD = 6,
  /// The code is for another architecture than that of the device.
  GROUT_ERROR_WRONG_TARGET = 7,
  /// The device cannot hold as many tiles at once as the artifact's proof of
  /// deadlock freedom assumes, or a kernel does not fit it at all.
  GROUT_ERROR_TOO_FEW_RESIDENTS = 8,
  GROUT_ERROR_OUT_OF_MEMORY = 9,
  /// A tile waited too long. The message names the launch, the task and the
  /// semaphore. The session cannot run again. CUDA: see grout_session_check.
  GROUT_ERROR_TIMEOUT = 10,
  /// Tiles broke the semaphore protocol of docs/KernelABI.md, for example with
  /// more posts than the waits expect. The session cannot run again.
  GROUT_ERROR_SYNCHRONISATION = 11,
  /// The code could not be loaded, for example because of a missing entry
  /// point, PTX that the driver refuses, or unresolved symbols.
  GROUT_ERROR_LOAD = 12,
  /// A CUDA call failed.
  GROUT_ERROR_CUDA = 13,
  /// The artifact has no such part, for example no reference plan.
  GROUT_ERROR_NOT_FOUND = 14,
  /// A defect of the runtime itself.
  GROUT_ERROR_INTERNAL = 15
} grout_status;

typedef enum grout_element_type {
  GROUT_F16 = 0,
  GROUT_BF16 = 1,
  GROUT_F32 = 2,
  GROUT_F64 = 3,
  /// A truth value in one byte: 0 or 1.
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

/// Selects one of an artifact's plans.
typedef enum grout_plan {
  /// The compiled function.
  GROUT_PLAN_COMPILED = 0,
  /// The same function in a plain computation of higher precision. Its inputs
  /// and outputs have the same shapes as those of the compiled plan, and often
  /// other element types.
  GROUT_PLAN_REFERENCE = 1,
  /// Not a plan. This value lets the type hold every int, so that the runtime
  /// can refuse a wrong value.
  GROUT_PLAN_INVALID = 0x7fffffff
} grout_plan;

/// A dense row-major tensor in a plan's signature.
typedef struct grout_tensor_info {
  /// The string is valid as long as the module.
  const char *name;
  grout_element_type element_type;
  uint32_t rank;
  /// `rank` sizes in elements, outermost first. The array is valid as long as
  /// the module.
  const int64_t *shape;
  /// The size of the buffer that grout_session_run takes for this tensor.
  uint64_t bytes;
} grout_tensor_info;

/// Receives `size` bytes of text, which are not zero-terminated. `user` is the
/// pointer that the caller passed to the describing function. That function may
/// call the writer several times, with pieces of the text in order, always in
/// the caller's thread. The writer must return: no longjmp.
typedef void (*grout_text_writer)(const char *text, size_t size, void *user);

/// The configuration of a session. Call grout_session_config_init, then change
/// fields.
typedef struct grout_session_config {
  /// The caller's sizeof(grout_session_config). The init function sets it.
  size_t struct_size;
  /// Default GROUT_PLAN_COMPILED.
  grout_plan plan;
  /// CPU: the number of worker threads, each of which stands for one resident
  /// tile. At most 1024. With 0, the default, the session has a worker for each
  /// processor that this process may use, or more if the plan needs them to be
  /// free of deadlock.
  uint32_t workers;
  /// CUDA: the ordinal of the device among those that CUDA_VISIBLE_DEVICES
  /// allows.
  int32_t cuda_ordinal;
  /// CPU: a run fails if a tile waits, and for this many seconds no tile of the
  /// launch has ended or posted. 0 means never. The default is 60.
  double timeout_seconds;
  /// Nonzero: every run first fills the intermediates with NaN (0xff bytes), on
  /// the device and in stream order. For tests.
  uint32_t poison_intermediates;
  /// CPU, for tests: if nonzero, workers sleep at random before tiles and
  /// before posts. A hash of this seed and the tile decides when.
  uint64_t delay_seed;
  /// Nonzero: the session has no memory for intermediates, and the caller
  /// passes memory to each run (grout_session_run_in). Since version 5.
  uint32_t caller_workspace;
  /// For a plan that several ranks run together (grout_module_symmetric): the
  /// number of this rank, the number of ranks, and for each rank the address,
  /// in this process, of its symmetric memory. The addresses are multiples of
  /// GROUT_BUFFER_ALIGNMENT. The memory is all 0 before the first rank runs the
  /// plan, is used by one session of each rank, and lives as long as these
  /// sessions. All ranks run the plan equally often. Since version 7.
  uint32_t rank;
  uint32_t ranks;
  void *const *symmetric;
  /// Nonzero: runs record when their tiles and blocks begin and end, for
  /// grout_session_read_trace. CUDA: creating the session fails with
  /// GROUT_ERROR_NOT_FOUND unless the kernels were compiled with --trace. Since
  /// version 8.
  uint32_t trace;
} grout_session_config;

/// The work whose time a record of a trace has. Since version 8.
typedef enum grout_trace_role {
  /// CUDA: a block, from when its first thread began until its last warp ended.
  GROUT_TRACE_BLOCK = 0,
  /// CUDA: the loads of a tile that need no tile of the same launch.
  GROUT_TRACE_LOAD = 1,
  /// CUDA: a tile's wait for tiles or launches, and the loads after it.
  GROUT_TRACE_LOAD_AFTER_WAIT = 2,
  /// CUDA: the arithmetic of a tile, by one warpgroup. Until the loads arrive,
  /// the warpgroup waits.
  GROUT_TRACE_COMPUTE = 3,
  /// CUDA: the stores of a tile.
  GROUT_TRACE_STORE = 4,
  /// CUDA: the sum of a tile over ranks.
  GROUT_TRACE_SUM_RANKS = 5,
  /// CPU: a tile.
  GROUT_TRACE_TILE = 6,
  /// CPU: a wait of a tile for a semaphore.
  GROUT_TRACE_WAIT = 7
} grout_trace_role;

/// A record of a trace. Since version 8.
typedef struct grout_trace_record {
  /// The name of the launch, and of the kernel or, on a CPU, of the tile body.
  /// The strings are valid as long as the session.
  const char *launch;
  const char *name;
  grout_trace_role role;
  /// The SM, or the number of the worker thread.
  uint32_t processor;
  /// The block's number in the grid; 0 on a CPU.
  uint32_t block;
  /// The tile: its body, and its coordinates; 0 for a block.
  uint32_t body, x, y, z;
  /// Nanoseconds, since a moment that is the same for all records of a device.
  uint64_t start, end;
} grout_trace_record;

/// Returns the GROUT_RUNTIME_API_VERSION of the library.
GROUT_RUNTIME_API uint32_t grout_runtime_api_version(void);

/// Returns the name of an element type, such as "f16" or "i32": that of MLIR.
/// Returns a null pointer if `type` is not an element type. Since version 6.
GROUT_RUNTIME_API const char *grout_element_type_name(grout_element_type type);

/// Returns the bytes of an element of a type; 0 for a number that is no type.
/// Since version 6.
GROUT_RUNTIME_API uint64_t grout_element_type_size(grout_element_type type);

/// Returns the message of the calling thread's last failure, or "". The string
/// is valid until the thread's next call of a function that can fail.
GROUT_RUNTIME_API const char *grout_last_error(void);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Reads and validates an artifact file. Does not execute any code of the
/// artifact.
GROUT_RUNTIME_API grout_status grout_module_load_file(const char *path,
                                                      grout_module **module);

/// Does the same with an artifact in memory, which the function copies.
GROUT_RUNTIME_API grout_status grout_module_load_memory(const void *data,
                                                        size_t size,
                                                        grout_module **module);

/// Destroys a module. Its sessions keep the parts that they need. `module` may
/// be null.
GROUT_RUNTIME_API void grout_module_destroy(grout_module *module);

/// Return strings of the artifact, which are valid as long as the module: the
/// producer ("grout 0.1.0"), the name of the compiled function, the target
/// ("h200", "cpu") and the mode ("serial", "pdl", "overlap", "persistent").
GROUT_RUNTIME_API const char *grout_module_producer(const grout_module *module);
GROUT_RUNTIME_API const char *grout_module_entry(const grout_module *module);
GROUT_RUNTIME_API const char *grout_module_target(const grout_module *module);
GROUT_RUNTIME_API const char *grout_module_mode(const grout_module *module);

/// Returns 1 if the module has this plan, otherwise 0.
GROUT_RUNTIME_API int grout_module_has_plan(const grout_module *module,
                                            grout_plan plan);

/// Returns the device that a plan runs on. Fails with GROUT_ERROR_NOT_FOUND if
/// there is no such plan.
GROUT_RUNTIME_API grout_status grout_module_device(const grout_module *module,
                                                   grout_plan plan,
                                                   grout_device *device);

/// Returns the size of a plan's workspace in bytes. The workspace is the memory
/// for intermediates; those that are not used at the same time may share bytes.
/// Some intermediates may be in outputs instead, until the plan writes these
/// outputs. Fails with GROUT_ERROR_NOT_FOUND if there is no such plan. Since
/// version 5.
GROUT_RUNTIME_API grout_status grout_module_workspace(
    const grout_module *module, grout_plan plan, uint64_t *bytes);

/// Returns how many ranks run a plan together, and how many bytes of symmetric
/// memory each of them needs: memory that all ranks can read and write. Returns
/// 1 rank and 0 bytes for a plan that exchanges no data. Fails with
/// GROUT_ERROR_NOT_FOUND if there is no such plan. Since version 7.
GROUT_RUNTIME_API grout_status
grout_module_symmetric(const grout_module *module, grout_plan plan,
                       uint64_t *bytes, uint32_t *ranks);

/// Return how many inputs and outputs the function has. Both plans have the
/// same number.
GROUT_RUNTIME_API uint32_t grout_module_num_inputs(const grout_module *module);
GROUT_RUNTIME_API uint32_t grout_module_num_outputs(const grout_module *module);

/// Return an input or output as this plan takes it. Fail with
/// GROUT_ERROR_NOT_FOUND if there is no such plan, and with
/// GROUT_ERROR_INVALID_ARGUMENT if the index is out of range.
GROUT_RUNTIME_API grout_status grout_module_input(const grout_module *module,
                                                  grout_plan plan,
                                                  uint32_t index,
                                                  grout_tensor_info *info);
GROUT_RUNTIME_API grout_status grout_module_output(const grout_module *module,
                                                   grout_plan plan,
                                                   uint32_t index,
                                                   grout_tensor_info *info);

/// Returns the number of the input that output `index` of a plan replaces: both
/// use one buffer, which the plan reads and then overwrites with the result.
/// Returns -1 if the output has a buffer of its own, as all outputs of a
/// reference plan have, or if there is no such plan or output. Since version 4.
GROUT_RUNTIME_API int64_t grout_module_in_place(const grout_module *module,
                                                grout_plan plan,
                                                uint32_t index);

/// Returns the coarsest floating-point type that a plan rounds to; the results
/// are no more exact than this type. The function considers the types of the
/// outputs. It also considers the types that the function rounds to between
/// inputs and outputs. A reference plan states these; if there is no reference
/// plan, they are the types of the intermediates. The type is GROUT_F64 if none
/// is coarser. Fails with GROUT_ERROR_NOT_FOUND if there is no such plan.
GROUT_RUNTIME_API grout_status grout_module_precision(
    const grout_module *module, grout_plan plan, grout_element_type *type);

/// Describes the contents of the artifact for people: the signature, the code,
/// and the buffers and launches of each plan. The text consists of lines, each
/// of which ends in '\n', and may change from version to version. `user` may be
/// null.
GROUT_RUNTIME_API grout_status grout_module_describe(const grout_module *module,
                                                     grout_text_writer write,
                                                     void *user);

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// Fills in the default values.
GROUT_RUNTIME_API void grout_session_config_init(grout_session_config *config);

/// Creates a session: prepares a plan on its device (see grout_module_device).
/// If `config` is null, the session has the default configuration. This
/// function allocates all memory and loads all code. For CUDA, it uses the
/// primary context of the device, which may exist already, and synchronises the
/// device. So do not call it while a stream is being captured.
GROUT_RUNTIME_API grout_status grout_session_create(
    const grout_module *module, const grout_session_config *config,
    grout_session **session);

/// Runs the plan. `inputs` and `outputs` hold one pointer for each input and
/// output, in order. Each pointer is the address of a buffer that has at least
/// the size of the tensor in this plan, and is aligned to
/// GROUT_CPU_BUFFER_ALIGNMENT or GROUT_CUDA_BUFFER_ALIGNMENT, depending on the
/// device. An output must not overlap an input or another output, except that
/// an output that replaces an input has the same pointer as this input (see
/// grout_module_in_place).
///
/// CPU: `stream` is null. The call returns when the outputs are written.
///
/// CUDA: `stream` is a CUstream of the session's context. The call only
/// enqueues work: it allocates nothing, synchronises nothing and resets
/// nothing. You may capture it into a CUDA graph, and replay the graph any
/// number of times. If the plan has branches, the session also uses streams of
/// its own. They wait for the work that is in `stream` before the call, and
/// `stream` waits for them before the call returns. The buffers and the session
/// must outlive the work and the graph. If a CUDA error happens during the run,
/// the caller's synchronisation reports it.
GROUT_RUNTIME_API grout_status grout_session_run(grout_session *session,
                                                 const void *const *inputs,
                                                 void *const *outputs,
                                                 void *stream);

/// Runs the plan of a session with `caller_workspace`. The intermediates are in
/// the `workspace_bytes` bytes at `workspace`. There must be at least as many
/// bytes as grout_module_workspace returns, aligned to GROUT_BUFFER_ALIGNMENT.
/// The workspace must not overlap a buffer that the run reads or writes. Its
/// contents need not be kept before or after the run. CUDA: the workspace
/// belongs to the run until the enqueued work has ended; if the run was
/// captured, it belongs to the graph. Since version 5.
GROUT_RUNTIME_API grout_status grout_session_run_in(
    grout_session *session, const void *const *inputs, void *const *outputs,
    void *workspace, uint64_t workspace_bytes, void *stream);

/// CUDA, for artifacts that were compiled with --debug-sync, whose waits give
/// up after a time: waits until the work of the session's context has ended.
/// Fails with GROUT_ERROR_TIMEOUT if a wait gave up in any run so far, graph
/// replays included. The message names the launch, the tile, the semaphore, and
/// its expected and actual value. The outputs of that run and of all later runs
/// are then undefined, and the session cannot run again. Do not call this while
/// a stream of the context is being captured.
///
/// For all other artifacts the function returns GROUT_OK at once.
GROUT_RUNTIME_API grout_status grout_session_check(grout_session *session);

/// For a session with `trace`: waits until the work of the session's context
/// has ended, and returns the records of all runs since the last call, graph
/// replays included, in no order. The records are valid until the next call on
/// the session. `lost` is the number of records for which there was no room:
/// there is room for those of one run, up to 2^22 of a launch on a GPU and 2^20
/// of a worker on a CPU. CUDA: do not call this while a stream of the context
/// is being captured. Since version 8.
GROUT_RUNTIME_API grout_status grout_session_read_trace(
    grout_session *session, const grout_trace_record **records, uint64_t *count,
    uint64_t *lost);

/// For tests of the semaphores' wrap-around: changes the synchronisation state
/// after exactly one run as `epochs` further runs would have changed it. CUDA:
/// synchronises the context.
GROUT_RUNTIME_API grout_status grout_session_skip_epochs(grout_session *session,
                                                         uint32_t epochs);

/// CUDA, for runs that do not end: writes one line for each launch. The line
/// says how far the launch is (its ticket, finished blocks, epoch and
/// semaphores, as docs/KernelABI.md defines them), or why the function cannot
/// read that. The function waits neither for the runs nor for a thread that is
/// in grout_session_run. Do not call it while a stream of the context is being
/// captured. The text may change from version to version. `user` may be null.
///
/// CPU: writes nothing. A run that hangs fails by itself, with a message that
/// says where.
GROUT_RUNTIME_API grout_status grout_session_describe_state(
    const grout_session *session, grout_text_writer write, void *user);

/// Frees all resources of a session. CUDA: the enqueued work must have ended
/// before. `session` may be null.
GROUT_RUNTIME_API void grout_session_destroy(grout_session *session);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_RUNTIME_H
