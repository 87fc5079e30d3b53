//===- CompilerCApi.cpp - The C API of the compiler -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CallerModule.h"
#include "DiagnosticList.h"
#include "grout-c/CompilerMLIR.h"
#include "grout/Compiler/Compilation.h"
#include "grout/Dialect/TGemm/IR/Limits.h"
#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/InitAllDialects.h"
#include "grout/InitAllTargets.h"
#include "grout/Reports/Explain.h"
#include "grout/Reports/Timeline.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Action.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <cstring>
#include <mutex>

using namespace mlir;
using namespace grout;

/// The stack must be large, because parsers and passes recurse into nested ops
/// and expressions.
static constexpr unsigned kStackBytes = 64 << 20;

static std::string &getLastError() {
  static thread_local std::string message;
  return message;
}

static grout_compiler_status fail(grout_compiler_status status,
                                  const llvm::Twine &message) {
  getLastError() = message.str();
  return status;
}

static grout_compiler_status fail(llvm::Error error) {
  return fail(GROUT_COMPILER_ERROR_INVALID_ARGUMENT,
              llvm::toString(std::move(error)));
}

static grout_compiler_status refuseNull(const char *what) {
  return fail(GROUT_COMPILER_ERROR_INVALID_ARGUMENT,
              llvm::Twine(what) + " is null");
}

static grout_compiler_status failIndex(size_t count, const char *what,
                                       size_t index) {
  return fail(GROUT_COMPILER_ERROR_INVALID_ARGUMENT,
              "there are " + llvm::Twine(count) + " " + what +
                  ", and no number " + llvm::Twine(index));
}

struct grout_compiler {
  CompilerOptions options;

  /// The results of the last compilation.
  std::optional<std::string> output, explanation, drawing;
  std::vector<DiagnosticRecord> diagnostics;

  std::atomic<bool> isCancelled = false;
};

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Stores a result of the compilation, which `print` writes.
static LogicalResult
keep(std::optional<std::string> &result,
     function_ref<LogicalResult(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(print(os)))
    return failure();
  result = std::move(text);
  return success();
}

static LogicalResult report(grout_compiler &compiler, ModuleOp module) {
  const Target &target = *compiler.options.findTarget();
  if (compiler.options.explain &&
      failed(keep(compiler.explanation, [&](llvm::raw_ostream &os) {
        return printExplanation(module, target, os);
      })))
    return failure();
  if (compiler.options.timeline &&
      failed(keep(compiler.drawing, [&](llvm::raw_ostream &os) {
        return printTimeline(module, target.getSpec(), /*trace=*/"", os);
      })))
    return failure();
  return success();
}

/// Adds to the explanation how much of an SM the launches of `module` take. The
/// kernels of `module` have been made.
static LogicalResult reportKernels(grout_compiler &compiler, ModuleOp module) {
  if (!compiler.options.explain)
    return success();
  PtxasOptions ptxas;
  ptxas.path = compiler.options.ptxas;
  llvm::raw_string_ostream os(*compiler.explanation);
  return printKernelResources(module, *compiler.options.findTarget(), ptxas,
                              os);
}

/// Runs the compilation, and returns the output that the options ask for.
static FailureOr<std::string> getOutput(grout_compiler &compiler,
                                        Compilation &compilation) {
  if (compiler.options.listTilings != 0) {
    if (failed(compilation.formProducts()) || compiler.isCancelled)
      return failure();
    return compilation.listTilings();
  }
  if (failed(compilation.synchronise()) || compiler.isCancelled ||
      failed(report(compiler, compilation.getModule())) ||
      failed(compilation.makeKernels()) || compiler.isCancelled ||
      failed(reportKernels(compiler, compilation.getModule())))
    return failure();
  return compilation.emit();
}

static LogicalResult compileIn(MLIRContext &context, grout_compiler &compiler,
                               std::unique_ptr<llvm::MemoryBuffer> text) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), SMLoc());
  Program program = parseProgram(sources, &context);
  if (!program.module)
    return failure();
  Compilation compilation(std::move(program), compiler.options);
  FailureOr<std::string> bytes = getOutput(compiler, compilation);
  if (failed(bytes) || compiler.isCancelled)
    return failure();
  compiler.output = std::move(*bytes);
  return success();
}

static LogicalResult compileAlone(grout_compiler &compiler,
                                  std::unique_ptr<llvm::MemoryBuffer> text) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    append(compiler.diagnostics, diagnostic);
    return success();
  });
  // After a cancellation, the remaining passes do not run.
  context.registerActionHandler(
      [&](function_ref<void()> run, const tracing::Action &action) {
        if (!isa<PassExecutionAction>(action) || !compiler.isCancelled)
          run();
      });
  return compileIn(context, compiler, std::move(text));
}

/// Returns the error of a compilation without output.
static grout_compiler_status failCompilation(const grout_compiler &compiler) {
  if (compiler.isCancelled)
    return fail(GROUT_COMPILER_ERROR_CANCELLED,
                "the compilation was cancelled");
  for (const DiagnosticRecord &record : compiler.diagnostics)
    if (record.severity == GROUT_SEVERITY_ERROR)
      return fail(GROUT_COMPILER_ERROR_REFUSED,
                  record.file + ":" + llvm::Twine(record.line) + ":" +
                      llvm::Twine(record.column) + ": " + record.message);
  return fail(GROUT_COMPILER_ERROR_REFUSED,
              "the program was refused without a diagnostic");
}

/// Drops the results of the last compilation.
static void clearResults(grout_compiler &compiler) {
  compiler.output = compiler.explanation = compiler.drawing = std::nullopt;
  compiler.diagnostics.clear();
  compiler.isCancelled = false;
}

static grout_compiler_status compile(grout_compiler &compiler,
                                     std::unique_ptr<llvm::MemoryBuffer> text) {
  compiler.options.recordOrigins = compiler.options.explain.getValue();
  if (llvm::Error error = compiler.options.check())
    return fail(std::move(error));
  bool isCompiled = false;
  llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] {
    isCompiled = succeeded(compileAlone(compiler, std::move(text)));
  });
  worker.join();
  return isCompiled ? GROUT_COMPILER_OK : failCompilation(compiler);
}

/// Returns a stored result to the caller.
template <typename Data>
static grout_compiler_status get(const std::optional<std::string> &result,
                                 const char *what, Data **data, size_t *size) {
  if (!data || !size)
    return refuseNull("an out parameter");
  if (!result)
    return fail(GROUT_COMPILER_ERROR_NOT_FOUND,
                llvm::Twine("there is no ") + what);
  *data = result->data();
  *size = result->size();
  return GROUT_COMPILER_OK;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

uint32_t grout_compiler_api_version(void) { return GROUT_COMPILER_API_VERSION; }

const char *grout_compiler_version(void) { return GROUT_VERSION; }

const char *grout_compiler_last_error(void) { return getLastError().c_str(); }

static void registerTargetsOnce() {
  static std::once_flag once;
  std::call_once(once, registerAllTargets);
}

/// Returns a zero-terminated copy of `text`, which is valid for ever.
static const char *keepForEver(StringRef text) {
  static std::mutex mutex;
  static llvm::StringSet<> kept;
  std::lock_guard<std::mutex> lock(mutex);
  return kept.insert(text).first->getKeyData();
}

size_t grout_compiler_num_targets(void) {
  registerTargetsOnce();
  return getAllTargets().size();
}

/// Returns the unit of rows of 16-bit elements: GPUs load 16 bytes at a time.
static uint32_t getRowUnit(const TargetSpec &spec) {
  return spec.code == CodeFormat::PTX
             ? kernelabi::kTensorMapGranule / sizeof(uint16_t)
             : 1;
}

grout_compiler_status grout_compiler_target(size_t index,
                                            grout_target *target) {
  if (!target)
    return refuseNull("'target'");
  registerTargetsOnce();
  SmallVector<const Target *> targets = getAllTargets();
  if (index >= targets.size())
    return failIndex(targets.size(), "targets", index);
  const TargetSpec &spec = targets[index]->getSpec();
  auto *products = targets[index]->getInterface<tgemm::ProductModel>();
  auto *attention = targets[index]->getInterface<tgemm::AttentionModel>();
  auto convolutions =
      products ? products->getConvolutionLimits() : tgemm::ConvolutionLimits();
  auto heads = attention ? attention->getHeadLimits() : tgemm::HeadLimits();
  grout_target all = {target->struct_size,
                      keepForEver(spec.name),
                      keepForEver(spec.architecture),
                      spec.code == CodeFormat::PTX ? GROUT_TARGET_CODE_PTX
                                                   : GROUT_TARGET_CODE_NATIVE,
                      products != nullptr,
                      products && products->multipliesF32(),
                      attention != nullptr,
                      static_cast<uint32_t>(spec.processors),
                      static_cast<uint64_t>(spec.peakMemoryRate),
                      static_cast<uint64_t>(spec.cacheBytes),
                      getRowUnit(spec),
                      static_cast<uint32_t>(convolutions.maxStride),
                      static_cast<uint32_t>(convolutions.reachLimit),
                      static_cast<uint32_t>(convolutions.cornerLimit),
                      static_cast<uint32_t>(heads.unit),
                      static_cast<uint32_t>(heads.most),
                      static_cast<uint32_t>(tgemm::kMaxGroupRows)};
  std::memcpy(target, &all, std::min(sizeof(all), all.struct_size));
  return GROUT_COMPILER_OK;
}

/// Returns the options, which are described once.
static ArrayRef<OptionDescription> getOptions() {
  static std::vector<OptionDescription> options = [] {
    registerTargetsOnce();
    return describeOptions();
  }();
  return options;
}

size_t grout_compiler_num_options(void) { return getOptions().size(); }

grout_compiler_status grout_compiler_option(size_t index,
                                            grout_option *option) {
  if (!option)
    return refuseNull("'option'");
  ArrayRef<OptionDescription> options = getOptions();
  if (index >= options.size())
    return failIndex(options.size(), "options", index);
  const OptionDescription &one = options[index];
  grout_option all = {option->struct_size, one.name.c_str(), one.help.c_str(),
                      one.initial.c_str(),
                      keepForEver(llvm::join(one.values, ","))};
  std::memcpy(option, &all, std::min(sizeof(all), all.struct_size));
  return GROUT_COMPILER_OK;
}

grout_compiler_status grout_compiler_create(grout_compiler **compiler) {
  if (!compiler)
    return refuseNull("'compiler'");
  registerTargetsOnce();
  *compiler = new (std::nothrow) grout_compiler();
  return *compiler ? GROUT_COMPILER_OK
                   : fail(GROUT_COMPILER_ERROR_OUT_OF_MEMORY,
                          "there is no memory for a compiler");
}

void grout_compiler_destroy(grout_compiler *compiler) { delete compiler; }

grout_compiler_status grout_compiler_set_option(grout_compiler *compiler,
                                                const char *name,
                                                const char *value) {
  if (!compiler || !name || !value)
    return refuseNull(!compiler ? "'compiler'" : !name ? "'name'" : "'value'");
  if (llvm::Error error = compiler->options.set(name, value))
    return fail(std::move(error));
  return GROUT_COMPILER_OK;
}

grout_compiler_status grout_compiler_compile(grout_compiler *compiler,
                                             const void *program, size_t size,
                                             const char *name) {
  if (!compiler || !program || !name)
    return refuseNull(!compiler  ? "'compiler'"
                      : !program ? "'program'"
                                 : "'name'");
  clearResults(*compiler);
  return compile(
      *compiler,
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(static_cast<const char *>(program), size), name));
}

grout_compiler_status grout_compiler_compile_module(grout_compiler *compiler,
                                                    MlirModule module,
                                                    const char *name) {
  if (!compiler || mlirModuleIsNull(module) || !name)
    return refuseNull(!compiler ? "'compiler'" : !name ? "'name'" : "'module'");
  clearResults(*compiler);
  ScopedDiagnosticHandler handler(unwrap(module).getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    append(compiler->diagnostics, diagnostic);
                                    return success();
                                  });
  OwningOpRef<ModuleOp> copy = copyForGrout(unwrap(module));
  if (!copy)
    return failCompilation(*compiler);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(*copy, os)))
    return fail(GROUT_COMPILER_ERROR_REFUSED,
                "the module cannot be written as bytecode");
  return compile(*compiler, llvm::MemoryBuffer::getMemBufferCopy(bytes, name));
}

void grout_compiler_cancel(grout_compiler *compiler) {
  if (compiler)
    compiler->isCancelled = true;
}

grout_compiler_status grout_compiler_output(const grout_compiler *compiler,
                                            const void **data, size_t *size) {
  if (!compiler)
    return refuseNull("'compiler'");
  return get(compiler->output, "output of a compilation", data, size);
}

grout_compiler_status grout_compiler_explanation(const grout_compiler *compiler,
                                                 const char **text,
                                                 size_t *size) {
  if (!compiler)
    return refuseNull("'compiler'");
  return get(compiler->explanation, "explanation; set option 'explain'", text,
             size);
}

grout_compiler_status grout_compiler_timeline(const grout_compiler *compiler,
                                              const char **svg, size_t *size) {
  if (!compiler)
    return refuseNull("'compiler'");
  return get(compiler->drawing, "timeline; set option 'timeline'", svg, size);
}

size_t grout_compiler_num_diagnostics(const grout_compiler *compiler) {
  return compiler ? compiler->diagnostics.size() : 0;
}

grout_compiler_status grout_compiler_diagnostic(const grout_compiler *compiler,
                                                size_t index,
                                                grout_diagnostic *diagnostic) {
  if (!compiler || !diagnostic)
    return refuseNull(!compiler ? "'compiler'" : "'diagnostic'");
  if (index >= compiler->diagnostics.size())
    return failIndex(compiler->diagnostics.size(), "diagnostics", index);
  const DiagnosticRecord &record = compiler->diagnostics[index];
  grout_diagnostic all = {diagnostic->struct_size, record.severity,
                          record.op.c_str(),       record.reason.c_str(),
                          record.file.c_str(),     record.line,
                          record.column,           record.location.c_str()};
  std::memcpy(diagnostic, &all, std::min(sizeof(all), all.struct_size));
  return GROUT_COMPILER_OK;
}
