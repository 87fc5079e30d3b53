//===- VerifyLaunchCode.cpp - What generators say is checked --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "VerifyLaunchCode.h"

#include "VerifyKernels.h"
#include "grout/Analysis/AffineRange.h"
#include "grout/Conversion/Common/CPUTileBody.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

InFlightDiagnostic grout::refuseLaunch(launch::TilesOp launch,
                                       const TargetSpec &target,
                                       const Twine &what) {
  SmallVector<StringRef> names;
  for (TileKernelOpInterface kernel : launch.getKernels())
    if (StringRef name = kernel->getName().getStringRef();
        !llvm::is_contained(names, name))
      names.push_back(name);
  InFlightDiagnostic diag = launch.emitError() << "cannot be compiled for "
                                               << target.name << ": " << what;
  llvm::interleave(
      names, diag, [&](StringRef name) { diag << "'" << name << "'"; },
      " and ");
  if (names.size() > 1)
    diag << " in one launch";
  return diag;
}

/// Refuses code outside of `launch` that uses one of `values`, which are its
/// body's and end with it.
static LogicalResult checkUses(launch::TilesOp launch, ValueRange values) {
  for (Value value : values)
    for (Operation *user : value.getUsers())
      if (!launch->isProperAncestor(user))
        return user->emitOpError()
               << "was generated for launch '" << launch.getName()
               << "', and uses a tensor of it; code reaches tensors by "
                  "LaunchTensors";
  return success();
}

/// How many tiles `extents` are.
static uint64_t countTiles(ArrayRef<int64_t> extents) {
  uint64_t tiles = 1;
  for (int64_t extent : extents)
    tiles =
        llvm::SaturatingMultiply<uint64_t>(tiles, std::max<int64_t>(extent, 0));
  return tiles;
}

/// What is wrong with `order`, of tasks of `grid`; empty if nothing is.
static std::string findOrderProblem(AffineMap order, ArrayRef<int64_t> grid) {
  if (!order || order.getNumDims() != grid.size() || order.getNumSymbols() != 0)
    return "whose order is no map of its tasks";
  if (llvm::Error error = checkComputable(order, getIndexRanges(grid)))
    return "whose order no code can compute (" +
           llvm::toString(std::move(error)) + ")";
  return "";
}

/// Whether the tasks of kernel `number`, which has `grid`, are in the order of
/// `launch`, if it has one.
static bool keepsOrder(launch::TilesOp launch, const LaunchCode &code,
                       unsigned number, SmallVector<int64_t> grid) {
  std::optional<ArrayAttr> orders = launch.getOrder();
  if (!orders)
    return true;
  AffineMap order = cast<AffineMapAttr>((*orders)[number]).getValue();
  packGrid(grid, order);
  return code.grids[number] == grid && code.order[number] == order;
}

/// What is wrong with the tasks of `code`, which has an order for them; empty
/// if nothing is.
static std::string findTasksProblem(launch::TilesOp launch,
                                    const LaunchCode &code,
                                    const TargetSpec &target) {
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  if (code.grids.size() != kernels.size() ||
      code.order.size() != kernels.size())
    return "with " + std::to_string(code.grids.size()) + " grids and " +
           std::to_string(code.order.size()) + " orders of tasks, but for " +
           std::to_string(kernels.size()) + " tile kernels";
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
    uint64_t tiles = succeeded(grid) ? countTiles(*grid) : 1;
    uint64_t tasks = countTiles(code.grids[number]);
    if (tasks != tiles)
      return "with " + std::to_string(tasks) + " tasks for the " +
             std::to_string(tiles) + " tiles of kernel " +
             std::to_string(number);
    if (std::string problem =
            findOrderProblem(code.order[number], code.grids[number]);
        !problem.empty())
      return problem;
    if (target.code == CodeFormat::Native && succeeded(grid) &&
        !keepsOrder(launch, code, number, *grid))
      return "whose order of the tasks of kernel " + std::to_string(number) +
             " is not that of the launch, which is proved";
  }
  return "";
}

/// Whether an argument of `code` is `buffer`, or a tensor map of it.
static bool takes(const LaunchCode &code, Value buffer) {
  return llvm::any_of(code.args, [&](Attribute attr) {
    auto arg = cast<launch::ArgAttr>(attr);
    return arg.getOperand() >= 0 &&
           arg.getOperand() < static_cast<int64_t>(code.buffers.size()) &&
           code.buffers[arg.getOperand()] == buffer;
  });
}

/// What is wrong with `code`; empty if nothing is.
static std::string findCodeProblem(launch::TilesOp launch,
                                   const LaunchCode &code, Operation *module,
                                   const TargetSpec &target) {
  for (Value buffer : code.buffers)
    if (!buffer || buffer.getParentBlock() != launch->getBlock())
      return "that takes what is no buffer of the plan";
  if (!llvm::all_of(code.args, llvm::IsaAndPresentPred<launch::ArgAttr>))
    return "with an argument that is no #launch.arg";
  for (auto [number, output] : llvm::enumerate(launch.getOutputs()))
    if (!takes(code, output))
      return "that does not take the buffer of output " +
             std::to_string(number);
  if (code.residents < static_cast<int64_t>(launch.getResidents()))
    return "that runs with " + std::to_string(code.residents) +
           " resident tiles, but the launch needs " +
           std::to_string(launch.getResidents());
  if (!code.order.empty())
    return findTasksProblem(launch, code, target);
  return target.code == CodeFormat::Native ? "without an order of tasks" : "";
}

LogicalResult grout::verifyLaunchCode(launch::TilesOp launch,
                                      const LaunchCode &code, Operation *module,
                                      const TargetSpec &target) {
  if (std::string problem = findKernelProblem(launch, code, module);
      !problem.empty())
    return refuseLaunch(launch, target,
                        "the generator made a wrong kernel for ")
           << ": " << problem;
  if (std::string problem = findCodeProblem(launch, code, module, target);
      !problem.empty())
    return refuseLaunch(launch, target,
                        "the generator made a kernel " + problem + ", for ");
  Block &body = launch.getBody().front();
  if (failed(checkUses(launch, body.getArguments())))
    return failure();
  return success(llvm::all_of(body, [&](Operation &op) {
    return succeeded(checkUses(launch, op.getResults()));
  }));
}
