//===- CompileOptions.cpp - The command line of grout-compile -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CompileOptions.h"

#include "grout/InitAllTargets.h"
#include "grout/Pipelines/ToolVersion.h"
#include "grout/Target/FittedConstants.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
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

/// The texts of --help, with defaults and with the names that are registered.
class HelpTexts {
public:
  HelpTexts() {
    for (const OptionDescription &option : describeOptions())
      texts.try_emplace(option.name, describe(option));
  }

  /// Returns the text of option `name`, or `text` if that option is not in the
  /// list of the library.
  llvm::StringRef get(llvm::StringRef name, llvm::StringRef text = "") const {
    auto it = texts.find(name);
    return it == texts.end() ? text : llvm::StringRef(it->second);
  }

private:
  /// A file, a number, or a flag that is off has no default worth telling.
  static std::string describe(const OptionDescription &option) {
    std::string text = option.help;
    if (option.isRegistry)
      text += "; one of " + llvm::join(option.values, ", ");
    if (!option.values.empty() && option.initial != "false")
      text += "; default: " + option.initial;
    return text;
  }

  llvm::StringMap<std::string> texts;
};

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
  /// The texts of the options that Options.def declares.
  HelpTexts help;
// A declarator takes no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define GROUT_OPTION(type, member, name, initial, values, text)                \
  cl::opt<type> member{name, cl::desc(help.get(name, text)),                   \
                       cl::init(initial), values, cl::cat(category)};
#define GROUT_LIST_OPTION(type, member, name, values, text)                    \
  cl::list<type> member{name, cl::CommaSeparated,                              \
                        cl::desc(help.get(name, text)), values,                \
                        cl::cat(category)};
#define GROUT_TOOL_OPTION GROUT_OPTION
#define GROUT_OUTPUT_OPTION GROUT_OPTION
#include "grout/Pipelines/Options.def"
  // NOLINTEND(bugprone-macro-parentheses)
  cl::opt<bool> explain{"explain", cl::desc(help.get("explain")),
                        cl::cat(category)};
  cl::opt<std::string> timeline{"timeline", cl::desc(help.get("timeline")),
                                cl::value_desc("file.svg"), cl::cat(category)};
  cl::opt<std::string> timelineTrace{
      "timeline-trace",
      cl::desc("With --timeline, also draw the run of which grout-run --trace "
               "wrote this file"),
      cl::value_desc("file.json"), cl::cat(category)};
  cl::list<std::string> constants{
      "constants", cl::CommaSeparated,
      cl::desc(
          "With --list-tilings, model by other constants of the target, as "
          "grout-tune fit does: names and values as in the target's file"),
      cl::value_desc("name=value,..."), cl::cat(category)};
  cl::opt<bool> noReference{
      "no-reference",
      cl::desc("Leave out the plan that grout-run --check compares with; "
               "--emit=llvm, ptx and asm never have it"),
      cl::cat(category)};
  std::string debugSyncHelp =
      help.get("debug-sync-milliseconds").str() +
      ("; " + llvm::Twine(kDebugSyncMilliseconds) + " if no number is given")
          .str();
  cl::opt<std::string> debugSync{"debug-sync", cl::desc(debugSyncHelp),
                                 cl::value_desc("milliseconds"),
                                 cl::ValueOptional, cl::cat(category)};
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
#define GROUT_OPTION(type, member, name, initial, values, help)                \
  if (line.member.getNumOccurrences() != 0)                                    \
    options.member = line.member.getValue();
#define GROUT_LIST_OPTION(type, member, name, values, help)                    \
  options.member = llvm::ArrayRef<type>(line.member);
#define GROUT_TOOL_OPTION GROUT_OPTION
#define GROUT_OUTPUT_OPTION GROUT_OPTION
#include "grout/Pipelines/Options.def"
  options.reference =
      !line.noReference && options.listTilings == 0 && !isKernelText(line.emit);
  options.debugSyncMilliseconds = *getDebugSync(line);
  options.explain = options.recordOrigins = line.explain.getValue();
}

/// Checks that the command line asks for nothing but a list of tilings.
static llvm::LogicalResult checkList(const CommandLine &line) {
  if (line.listTilings == 0)
    return refuse("--list-tilings needs a number above 0");
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(&line.explain),
        static_cast<const cl::Option *>(&line.timeline),
        static_cast<const cl::Option *>(&line.timelineTrace),
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
  if (!line.timelineTrace.empty() && line.timeline.empty())
    return refuse("--timeline-trace needs --timeline=FILE, which it adds to");
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
  options.timeline = line.timeline;
  options.timelineTrace = line.timelineTrace;
  return llvm::success();
}
