//===- Options.cpp - The command line of grout-compile --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "grout/InitAllTargets.h"
#include "grout/Pipelines/ToolVersion.h"
#include "grout/Target/FittedConstants.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;
using namespace grout;
using namespace grout::compile;

/// How long a wait may last if --debug-sync has no number.
static constexpr unsigned kDebugSyncMilliseconds = 2000;

static constexpr char kOverview[] =
    R"(grout-compile: from linalg on tensors to an artifact that grout-run runs

Compiles the public function of an MLIR file. Its operators are cut into tiles,
and dependent ones run together: a tile starts as soon as the tiles that it
reads are done.
)";

static constexpr char kExamples[] = R"(
EXAMPLES

  This is mlp.mlir:

    func.func @mlp(%x: tensor<128x256xf32>, %w1: tensor<256x512xf32>,
                   %w2: tensor<512x256xf32>) -> tensor<128x256xf32> {
      %zero = arith.constant 0.0 : f32
      %e1 = tensor.empty() : tensor<128x512xf32>
      %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<128x512xf32>)
            -> tensor<128x512xf32>
      %h = linalg.matmul
             ins(%x, %w1 : tensor<128x256xf32>, tensor<256x512xf32>)
             outs(%z1 : tensor<128x512xf32>) -> tensor<128x512xf32>
      %e2 = tensor.empty() : tensor<128x256xf32>
      %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<128x256xf32>)
            -> tensor<128x256xf32>
      %y = linalg.matmul
             ins(%h, %w2 : tensor<128x512xf32>, tensor<512x256xf32>)
             outs(%z2 : tensor<128x256xf32>) -> tensor<128x256xf32>
      return %y : tensor<128x256xf32>
    }

  Compile it for this machine's processor, run it, and compare the result with
  a plain computation in higher precision:

    grout-compile mlp.mlir --target=cpu -o mlp.grout
    grout-run mlp.grout --device=cpu --check

  See what was decided, and draw the tiles over the processors of a GPU:

    grout-compile mlp.mlir --target=h200 -o mlp.grout --explain \
                  --timeline=mlp.svg

  Choose tilings by measurements that grout-tune made of the same shapes:

    grout-tune all mlp.mlir --database tuning.db
    grout-compile mlp.mlir --target=h200 --mode=auto --tuning=tuning.db \
                  -o mlp.grout --explain

  See the code:

    grout-compile mlp.mlir --target=cpu --emit=mlir
    grout-compile mlp.mlir --target=cpu --emit=asm

  Find out which wait of a kernel hangs:

    grout-compile mlp.mlir --target=h200 --debug-sync -o mlp.grout
    grout-run mlp.grout --device=cuda

  --help-hidden lists MLIR's own options, such as --mlir-print-ir-after-all.
)";

namespace {
/// The options. They exist only from the reading of the command line on, so
/// that other programs that link this file do not get them.
struct CommandLine {
  cl::OptionCategory category{"grout-compile"};
  cl::opt<std::string> input{cl::Positional,
                             cl::desc("INPUT.mlir (- reads "
                                      "standard input)"),
                             cl::value_desc("file"), cl::Required,
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("Where to write; - is standard output, and the default for "
               "text"),
      cl::value_desc("file"), cl::cat(category)};
  std::string targetHelp =
      "Processor to compile for: " + getTargetNames() + "; default: cpu";
  cl::opt<std::string> target{"target", cl::desc(targetHelp), cl::init("cpu"),
                              cl::cat(category)};
  cl::opt<tsync::ModeOption> mode{
      "mode", cl::desc("How dependent kernels run; default: persistent"),
      cl::init(tsync::getModeOption(tsync::Mode::persistent)),
      tsync::getModeValues(), cl::cat(category)};
  cl::list<tsync::Mode> edgeModes{
      "edge-modes", cl::CommaSeparated,
      cl::desc("How the second, third, ... kernel of a chain waits for those "
               "before it, where that is not as --mode says (GPU): serial, for "
               "their end; pdl, the same, but what it can is loaded ahead; "
               "overlap, tile by tile"),
      cl::value_desc("mode,..."), cl::cat(category)};
  cl::opt<tsync::GranularityOption> granularity{
      "granularity", cl::desc("What a tile waits for; default: auto"),
      cl::init(tsync::GranularityOption::Auto), tsync::getGranularityValues(),
      cl::cat(category)};
  cl::opt<std::string> scopTree{
      "scop-tree",
      cl::desc("What steers the scheduler of memory-bound kernels (GPU): auto, "
               "by what warps move; akg, as AKG's greedy optimiser would; "
               "from-ir, the scop.tree of each scop.kernel in the input; none; "
               "default: auto"),
      cl::init("auto"), cl::cat(category)};
  cl::opt<scop::SolverOption> scopSolver{
      "scop-solver",
      cl::desc("Who schedules memory-bound kernels (GPU); default: ilp"),
      cl::init(scop::SolverOption::Ilp), scop::getSolverValues(),
      cl::cat(category)};
  cl::opt<ScopRestructure> scopRestructure{
      "scop-restructure",
      cl::desc(
          "Whether memory-bound kernels are changed before their schedules "
          "are chosen: values inlined, loops and sums split, loops "
          "collapsed, launches formed (GPU); default: auto"),
      cl::init(ScopRestructure::Auto), getScopRestructureValues(),
      cl::cat(category)};
  cl::opt<bool> scopTrace{
      "scop-trace",
      cl::desc("Print what the scheduler of memory-bound kernels tried, and "
               "why it failed"),
      cl::cat(category)};
  cl::opt<std::string> launchPolicy{
      "launch-policy",
      cl::desc(
          "Who orders the launches of the plan: serial, one after another; "
          "wave, side by side where that is modelled to be faster (GPU); "
          "opara and nimble, as those systems do (GPU); default: serial"),
      cl::init("serial"), cl::cat(category)};
  cl::opt<EmitKind> emit{"emit", cl::desc("What to write"),
                         cl::init(EmitKind::Artifact), getEmitValues(),
                         cl::cat(category)};
  cl::opt<bool> explain{
      "explain",
      cl::desc(
          "Print tilings and why they were chosen, dependences, semaphores "
          "and the proof"),
      cl::cat(category)};
  cl::opt<std::string> tuning{
      "tuning",
      cl::desc(
          "Choose tilings, and what --mode=auto becomes, by the times in "
          "this database of grout-tune, or in JSON lines (whatever does not "
          "begin as SQLite files do); the model chooses what is not in "
          "it"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<unsigned> listTilings{
      "list-tilings",
      cl::desc(
          "Print, as JSON for grout-tune, the N tilings of each product "
          "that are modelled to be the fastest, and compile nothing (GPU)"),
      cl::value_desc("N"), cl::cat(category)};
  cl::list<std::string> constants{
      "constants", cl::CommaSeparated,
      cl::desc(
          "With --list-tilings, model by other constants of the target, as "
          "grout-tune fit does: names and values as in the target's file"),
      cl::value_desc("name=value,..."), cl::cat(category)};
  cl::opt<std::string> timeline{
      "timeline",
      cl::desc("Draw the modelled tiles of chains over the processors"),
      cl::value_desc("file.svg"), cl::cat(category)};
  cl::opt<Rounding> rounding{
      "rounding",
      cl::desc("Where what is computed in f16 and bf16 is rounded; default: "
               "once"),
      cl::init(Rounding::Once), getRoundingValues(), cl::cat(category)};
  cl::opt<bool> strictTypes{
      "strict-types",
      cl::desc(
          "Make sums in the types that the program says: without it, those "
          "of f16 and bf16 are f32 or wider and rounded once, and long "
          "ones on the CPU are f64. Matrix products are f32 in any case"),
      cl::cat(category)};
  cl::opt<tgemm::F32Products> f32Products{
      "f32-products",
      cl::desc("As what products of f32 are computed; default: auto"),
      cl::init(tgemm::F32Products::Auto), tgemm::getF32ProductsValues(),
      cl::cat(category)};
  cl::opt<bool> noReference{
      "no-reference",
      cl::desc("Leave out the plan that grout-run --check compares with; "
               "--emit=llvm, ptx and asm never have it"),
      cl::cat(category)};
  cl::opt<bool> sanitizeThread{
      "sanitize-thread",
      cl::desc("Instrument CPU kernels for a grout-run that is built with "
               "ThreadSanitizer"),
      cl::cat(category)};
  cl::opt<std::string> debugSync{
      "debug-sync",
      cl::desc(
          "Watchdog for GPU kernels: a wait for a semaphore gives up after "
          "so many milliseconds (2000 if none are given), and the run "
          "fails with the semaphore, what it expects and what it sees, "
          "instead of hanging the GPU. Not for measuring"),
      cl::value_desc("milliseconds"), cl::ValueOptional, cl::cat(category)};
  cl::opt<std::string> ptxas{
      "ptxas",
      cl::desc("Assemble GPU kernels with this ptxas; without it, the driver "
               "does when they are loaded"),
      cl::value_desc("path"), cl::cat(category)};
  cl::extrahelp examples{kExamples};
};
} // namespace

static llvm::LogicalResult refuse(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "grout-compile") << message << "\n";
  return llvm::failure();
}

/// Returns how long waits may last with --debug-sync, or 0 without it. Returns
/// nothing if its value is not a number above 0.
static std::optional<unsigned> getDebugSync(const CommandLine &line) {
  if (line.debugSync.getNumOccurrences() == 0)
    return 0;
  if (line.debugSync.empty())
    return kDebugSyncMilliseconds;
  unsigned milliseconds = 0;
  if (llvm::StringRef(line.debugSync).getAsInteger(10, milliseconds) ||
      milliseconds == 0)
    return std::nullopt;
  return milliseconds;
}

/// Returns whether the output of `kind` is text of the kernels only.
static bool isKernelText(EmitKind kind) {
  return kind != EmitKind::Artifact && kind != EmitKind::MLIR;
}

/// Sets the options that the command line names. The others keep their
/// defaults.
static void fill(CompilerOptions &options, const CommandLine &line) {
  options.target = line.target.getValue();
  options.mode = line.mode.getValue();
  options.edgeModes = llvm::ArrayRef<tsync::Mode>(line.edgeModes);
  options.granularity = line.granularity.getValue();
  if (line.scopTree.getNumOccurrences() != 0)
    options.scopTree = line.scopTree.getValue();
  if (line.scopSolver.getNumOccurrences() != 0)
    options.scopSolver = line.scopSolver.getValue();
  if (line.scopRestructure.getNumOccurrences() != 0)
    options.scopRestructure = line.scopRestructure.getValue();
  options.scopTrace = line.scopTrace.getValue();
  options.rounding = line.rounding.getValue();
  options.strictTypes = line.strictTypes.getValue();
  options.f32Products = line.f32Products.getValue();
  options.listTilings = line.listTilings.getValue();
  options.reference =
      !line.noReference && options.listTilings == 0 && !isKernelText(line.emit);
  options.debugSyncMilliseconds = *getDebugSync(line);
  options.launchPolicy = line.launchPolicy.getValue();
  options.tuning = line.tuning.getValue();
  options.recordOrigins = line.explain.getValue();
  options.emit = line.emit.getValue();
  options.sanitizeThread = line.sanitizeThread.getValue();
  options.ptxas = line.ptxas.getValue();
}

/// Checks that the command line asks for nothing but a list of tilings.
static llvm::LogicalResult checkList(const CommandLine &line) {
  if (line.listTilings == 0)
    return refuse("--list-tilings needs a number above 0");
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(&line.explain),
        static_cast<const cl::Option *>(&line.timeline),
        static_cast<const cl::Option *>(&line.emit)})
    if (option->getNumOccurrences() != 0)
      return refuse("--list-tilings compiles nothing: leave out --" +
                    option->ArgStr);
  return llvm::success();
}

/// Checks the options that only the command line has.
static llvm::LogicalResult check(const CommandLine &line) {
  bool isList = line.listTilings.getNumOccurrences() != 0;
  if (isList && failed(checkList(line)))
    return llvm::failure();
  if (!isList && !line.constants.empty())
    return refuse("--constants needs --list-tilings: nothing is compiled by "
                  "constants that a target does not have");
  if (!isList && line.emit == EmitKind::Artifact && line.output.empty())
    return refuse("an artifact needs -o FILE (-o - is standard output)");
  if (line.scopTrace && (line.output.empty() || line.output == "-"))
    return refuse("--scop-trace needs -o FILE: it prints on standard output");
  if (line.scopTrace && line.scopSolver == scop::SolverOption::Isl)
    return refuse("--scop-trace needs --scop-solver=ilp: isl does not say what "
                  "it tried");
  return llvm::success();
}

llvm::LogicalResult compile::parseCommandLine(int argc, char **argv,
                                              Options &options) {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  registerToolVersion();
  registerAllTargets();
  static CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  if (!getDebugSync(line))
    return refuse("--debug-sync takes a number of milliseconds from 1 to " +
                  llvm::Twine(UINT32_MAX) + ", not '" + line.debugSync + "'");
  fill(options.compiler, line);
  if (llvm::Error error = options.compiler.check())
    return refuse(llvm::toString(std::move(error)));
  if (failed(check(line)))
    return llvm::failure();
  if (!line.constants.empty())
    if (llvm::Error error =
            replaceConstants(options.compiler.target, line.constants))
      return refuse(llvm::toString(std::move(error)));
  options.input = line.input;
  options.output = line.output.empty() ? "-" : line.output.getValue();
  options.explain = line.explain;
  options.timeline = line.timeline;
  return llvm::success();
}
