//===- ListTilings.cpp - Lists candidates for tuning ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Reports/ListTilings.h"

#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "grout/Dialect/TGemm/Transforms/TuningKey.h"
#include "grout/Reports/ExplainTilings.h"
#include "grout/Target/FittedConstants.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// The version of the JSON output.
static constexpr int64_t kVersion = 2;

static SmallVector<ProductOpInterface> getProducts(func::FuncOp function) {
  SmallVector<ProductOpInterface> products;
  function.walk([&](ProductOpInterface op) { products.push_back(op); });
  return products;
}

/// Returns `function` as text that may stand inside a module, which allows no
/// aliases.
static std::string printText(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

/// Returns a function that computes only `op`. Its arguments are the values
/// that `op` reads.
static OwningOpRef<func::FuncOp> extractProduct(ProductOpInterface op,
                                                StringRef name) {
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (Value operand : op->getOperands())
    if (!llvm::is_contained(operands, operand)) {
      operands.push_back(operand);
      types.push_back(operand.getType());
    }
  OpBuilder builder(op.getContext());
  auto function = func::FuncOp::create(
      op.getLoc(), name, builder.getFunctionType(types, op->getResultTypes()));
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  mapping.map(operands, body->getArguments());
  builder.setInsertionPointToEnd(body);
  Operation *product = builder.clone(*op, mapping);
  func::ReturnOp::create(builder, op.getLoc(), product->getResults());
  return function;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The model's choice for a function.
struct ModelChoice {
  /// For each mode, a tiling for each GEMM or convolution.
  llvm::MapVector<tsync::Mode, SmallVector<TilingAttr>> tilings;
  /// The mode that `auto` becomes.
  std::string autoMode;
};

/// Runs the pass that chooses tilings on a copy of `function`, for `mode`, and
/// returns the copy.
static OwningOpRef<ModuleOp> assignTilings(func::FuncOp function,
                                           tsync::ModeOption mode,
                                           const Target &target) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  module->push_back(function.clone());
  (*module)->setAttr(GroutDialect::getTargetAttrName(),
                     TargetAttr::get(function.getContext(), target.getName()));
  TGemmAssignTilingOptions options;
  options.mode = mode;
  PassManager passes(function.getContext());
  passes.addPass(createTGemmAssignTiling(options));
  if (failed(passes.run(*module)))
    return {};
  return module;
}

/// Returns grout-tune's name for `execution`.
static std::string getName(tsync::ExecutionAttr execution) {
  if (!execution.getSelectsEdges())
    return stringifyMode(execution.getMode()).str();
  return waitsForTiles(getLaunchWait(execution.getMode())) ? "by_edge"
                                                           : "by_launch";
}

static FailureOr<ModelChoice> getChoice(func::FuncOp function,
                                        const Target &target) {
  ModelChoice choice;
  for (tsync::Mode mode : tsync::getModes()) {
    OwningOpRef<ModuleOp> assigned =
        assignTilings(function, tsync::getModeOption(mode), target);
    if (!assigned)
      return failure();
    auto &tilings = choice.tilings[mode];
    assigned->walk(
        [&](ProductOpInterface op) { tilings.push_back(*op.getTiling()); });
  }
  OwningOpRef<ModuleOp> assigned =
      assignTilings(function, tsync::ModeOption::Auto, target);
  if (!assigned)
    return failure();
  auto copy = *assigned->getOps<func::FuncOp>().begin();
  choice.autoMode = getName(copy->getAttrOfType<tsync::ExecutionAttr>(
      tsync::ExecutionAttr::getAttrName()));
  return choice;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Prints `seconds` in microseconds.
static void printTime(llvm::json::OStream &json, StringRef name,
                      double seconds) {
  json.attributeBegin(name);
  json.rawValue(llvm::formatv("{0:F3}", seconds * 1e6).str());
  json.attributeEnd();
}

static LogicalResult checkTypes(func::FuncOp function) {
  for (TypeRange types : {TypeRange(function.getArgumentTypes()),
                          TypeRange(function.getResultTypes())})
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        return function.emitError()
               << "the function has an argument or result of " << type
               << "; only functions of static tensors can be tuned";
    }
  return success();
}

/// Prints attributes of a tensor.
static void printType(llvm::json::OStream &json, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  std::string element;
  llvm::raw_string_ostream(element) << tensor.getElementType();
  json.attributeArray("shape", [&] {
    for (int64_t extent : tensor.getShape())
      json.value(extent);
  });
  json.attribute("type", element);
}

/// Returns the product of `function` whose group ends are `argument`; null if
/// there is none.
static ProductOpInterface findGroups(BlockArgument argument) {
  for (Operation *user : argument.getUsers())
    if (auto op = dyn_cast<ProductOpInterface>(user);
        op && op.getGroupEnds() == argument)
      return op;
  return {};
}

/// Prints the types of a function's arguments, and values for the ends of
/// groups: random numbers would be no sizes.
static void printInputs(llvm::json::OStream &json, func::FuncOp function) {
  json.attributeArray("inputs", [&] {
    for (BlockArgument argument : function.getArguments())
      json.object([&] {
        printType(json, argument.getType());
        if (ProductOpInterface op = findGroups(argument))
          json.attributeArray("values", [&] {
            for (int64_t end : getModelledGroupEnds(op))
              json.value(end);
          });
      });
  });
}

/// Prints the types, the FLOP and the text of a function.
static void printFunction(llvm::json::OStream &json, func::FuncOp function) {
  double flops = 0;
  for (ProductOpInterface op : getProducts(function))
    flops += 2.0 * op.getBatch() * op.getM() * op.getN() * op.getK() *
             op.getNumProducts();
  json.attribute("flops", flops);
  printInputs(json, function);
  json.attributeArray("outputs", [&] {
    for (Type type : function.getResultTypes())
      json.object([&] { printType(json, type); });
  });
  json.attribute("source", printText(function));
}

namespace {

/// A tiling, its modelled time, and the tiling that it refines, if any.
struct Candidate {
  TilingAttr tiling;
  double seconds = 0;
  TilingAttr refined;
};

} // namespace

static void printCandidate(llvm::json::OStream &json, ProductOpInterface op,
                           const Candidate &candidate,
                           const ProductModel &model) {
  TilingAttr tiling = candidate.tiling;
  TilingTime time = model.modelTiling(op, tiling);
  json.object([&] {
    json.attribute("tiling", getTilingText(tiling));
    if (candidate.refined)
      json.attribute("refines", getTilingText(candidate.refined));
    printTime(json, "us", time.total);
    json.attribute("bound", time.getBound());
    json.attributeObject("parts", [&] {
      for (auto [name, seconds] : time.getParts())
        printTime(json, name, seconds);
    });
    // The rows of the MMAs.
    json.attribute("rows", tiling.getMmaM());
    json.attributeArray("cluster", [&] {
      json.value(tiling.getClusterM());
      json.value(tiling.getClusterN());
      json.value(tiling.getSplitK());
    });
    json.attribute("stream_k", tiling.getStreamK());
    json.attribute("swap_ab", tiling.getSwapAb());
    // GEMMs with a common form may be in one kernel.
    json.attributeArray("forms", [&] {
      for (auto [index, form] : llvm::enumerate(model.getKernelForms()))
        if (model.fits(op, tiling, form))
          json.value(static_cast<int64_t>(index));
    });
  });
}

/// Returns the candidates for `op`: tilings for a kernel that also computes
/// other ops, and their refinements for a kernel that computes only `op`.
static std::vector<Candidate> getCandidates(ProductOpInterface op,
                                            const ProductModel &model) {
  std::vector<Candidate> candidates;
  for (const auto &[tiling, seconds] : model.modelTilings(op)) {
    TilingAttr finer = model.refineTiling(op, tiling);
    if (finer != tiling)
      candidates.push_back({finer, seconds, tiling});
    candidates.push_back({tiling, seconds, {}});
  }
  return candidates;
}

static void printProduct(llvm::json::OStream &json, ProductOpInterface op,
                         size_t index, TilingAttr choice,
                         const ProductModel &model, size_t count) {
  auto parent = op->getParentOfType<func::FuncOp>();
  std::string name = (parent.getName() + "_product" + Twine(index)).str();
  std::vector<Candidate> candidates;
  if (op.getTiling())
    candidates.push_back({choice, 0, {}});
  else
    candidates = getCandidates(op, model);
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.seconds < b.seconds;
  });
  json.object([&] {
    json.attribute("name", name);
    json.attribute("key", getProductKey(op));
    OwningOpRef<func::FuncOp> function = extractProduct(op, name);
    printFunction(json, *function);
    json.attribute("choice", getTilingText(choice));
    json.attributeArray("candidates", [&] {
      for (const Candidate &candidate : ArrayRef(candidates).take_front(count))
        printCandidate(json, op, candidate, model);
    });
  });
}

static void printChoices(llvm::json::OStream &json, func::FuncOp function,
                         const ModelChoice &choice, const Target &target,
                         size_t count) {
  SmallVector<ProductOpInterface> products = getProducts(function);
  json.attribute("name", function.getName());
  json.attribute("key", getChainKey(products));
  printFunction(json, function);
  json.attribute("auto", choice.autoMode);
  json.attributeObject("choices", [&] {
    for (const auto &pair : choice.tilings)
      json.attributeArray(stringifyMode(pair.first), [&] {
        for (TilingAttr tiling : pair.second)
          json.value(getTilingText(tiling));
      });
  });
  ArrayRef<TilingAttr> alone = choice.tilings.find(tsync::Mode::serial)->second;
  json.attributeArray("products", [&] {
    for (size_t i = 0; i != products.size(); ++i)
      printProduct(json, products[i], i, alone[i],
                   *target.getInterface<ProductModel>(), count);
  });
}

/// Prints the constants that `grout-tune fit` starts from.
static void printConstants(llvm::json::OStream &json,
                           const FittedConstants &fitted) {
  json.attributeObject("constants", [&] {
    for (auto [name, value] : fitted.getAll())
      json.attribute(name, value);
  });
}

LogicalResult grout::printTilings(ModuleOp module, const Target &target,
                                  size_t count, llvm::raw_ostream &os) {
  std::vector<std::pair<func::FuncOp, ModelChoice>> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (getProducts(function).empty())
      continue;
    FailureOr<ModelChoice> choice = getChoice(function, target);
    if (failed(choice) || failed(checkTypes(function)))
      return failure();
    functions.emplace_back(function, std::move(*choice));
  }
  if (functions.empty())
    return emitError(
        module.getLoc(),
        "the module has no matrix product or convolution to list tilings of: "
        "attention and memory-bound kernels are not tuned");
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("version", kVersion);
    json.attribute("target", target.getName());
    if (const auto *fitted = target.getInterface<FittedConstants>())
      printConstants(json, *fitted);
    json.attributeArray("functions", [&] {
      for (auto &entry : functions)
        json.object([&] {
          printChoices(json, entry.first, entry.second, target, count);
        });
    });
  });
  os << "\n";
  return success();
}
