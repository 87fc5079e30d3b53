//===- LinalgOps.cpp - Reference kernels of linalg ops --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ReferencePlan.h"

#include "ScalarCode.h"
#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

LogicalResult ReferencePlan::buildLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return refuse(op, "it is not on tensors");
  if (std::optional<Refusal> refusal =
          findRefusal(op, /*forGPU=*/bool(getDeviceModule())))
    return refuse(op, "'" + refusal->op->getName().getStringRef() + "' " +
                          refusal->reason);
  ReferenceKernel kernel(op.getLoc());
  kernel.extents = op.getStaticLoopRanges();
  kernel.iterators = op.getIteratorTypesArray();
  for (utils::IteratorType iterator : kernel.iterators)
    if (iterator != utils::IteratorType::parallel &&
        iterator != utils::IteratorType::reduction)
      return refuse(op, "it has a loop that is neither parallel nor a "
                        "reduction");

  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    TensorAccess access;
    access.map = op.getMatchingIndexingMap(&operand);
    // What is not read needs no value, and may be of any type.
    Type type = promote(getElementTypeOrSelf(operand.get().getType()));
    access.tensor.elementType = launch::isElementType(type) ? type : floatType;
    if (op.payloadUsesValueFromOperand(&operand)) {
      FailureOr<ReferenceTensor> tensor = getTensor(operand.get(), op);
      if (failed(tensor))
        return failure();
      if (tensor->isUndefined())
        return refuse(op, "it reads operand " +
                              Twine(operand.getOperandNumber()) +
                              ", which nothing has written");
      access.tensor = *tensor;
    }
    (isInit ? kernel.inits : kernel.inputs).push_back(access);
    if (!isInit)
      continue;
    // Every element is computed once.
    if (!access.map.isProjectedPermutation() ||
        access.map.getNumResults() !=
            kernel.getLoops(utils::IteratorType::parallel).size())
      return refuse(op, "its output " + Twine(kernel.outputs.size()) +
                            " does not have one element for each point of its "
                            "parallel loops");
    OpResult result = op.getTiedOpResult(&operand);
    ReferenceTensor output;
    if (auto it = outputs.find(result); it != outputs.end())
      output = getDense(it->second);
    else
      output = createBuffer(op.getLoc(),
                            cast<RankedTensorType>(result.getType()).getShape(),
                            access.tensor.elementType);
    tensors[result] = output;
    kernel.outputs.push_back({output, access.map});
  }
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>()) {
    FailureOr<ReferenceTensor> tensor = getTensor(extract.getTensor(), op);
    if (failed(tensor))
      return failure();
    if (tensor->isUndefined())
      return refuse(op, "it gathers from a tensor that nothing has written");
    kernel.gathered[extract.getTensor()] = *tensor;
  }
  setComputation(kernel, op);
  addKernel(kernel);
  return success();
}

/// What of `op` is summed up without roundings: everything in a product, and
/// else what linalg-widen-accumulators finds. Where the op says its tiles
/// itself, it is what computes them.
static Accumulation findSums(linalg::LinalgOp op, bool strictTypes) {
  bool isProduct =
      !getComputeBound(op).empty() && !op->hasAttr(kLinalgTileSizesAttrName);
  if (strictTypes && !isProduct)
    return {};
  return findAccumulation(
      op, [&](FloatType type) { return isProduct || isNarrowFloat(type); });
}

/// Whether a GPU can compute the chain of `sums` in f64, in which the math
/// functions are not expanded.
static bool canBeDouble(const Accumulation &sums) {
  return llvm::all_of(sums.chain, [](Operation *op) {
    return isa<arith::ArithDialect>(op->getDialect()) || isa<math::FmaOp>(op);
  });
}

void ReferencePlan::setComputation(ReferenceKernel &kernel,
                                   linalg::LinalgOp op) {
  Promotion promotion{floatType, floatType, findSums(op, strictTypes),
                      findAccumulation(op, [](FloatType) { return true; })};
  const Accumulation &sums = promotion.sums, &all = promotion.allSums;
  // A GPU's doubles are fast enough for sums, and a thread makes long ones.
  if (floatType.isF32() && !strictTypes && canBeDouble(all)) {
    promotion.sums.results = all.results;
    promotion.sums.chain = all.chain;
    promotion.sumType = Float64Type::get(op.getContext());
  }
  kernel.compute = [op, promotion](OpBuilder &builder, ValueRange elements,
                                   ValueRange coordinates,
                                   EmitGather gather) mutable {
    return inlinePromoted(builder, *op.getBlock(), promotion, elements,
                          coordinates, gather);
  };
  bool isLimited = floatType.isF64() && !all.results.empty();
  if (sums.results.empty() && !isLimited)
    return;
  auto convert = [op, promotion](OpBuilder &builder, ValueRange outputs,
                                 FloatType type, bool isFinal) mutable {
    SmallVector<Value> values(outputs);
    for (unsigned number : promotion.sums.results) {
      Value &value = values[number];
      if (isFinal)
        value = roundTo(builder, op.getLoc(), value,
                        getElementTypeOrSelf(op->getResult(number).getType()));
      value = convertScalarToDtype(builder, op.getLoc(), value, type,
                                   /*isUnsignedCast=*/false);
    }
    if (isFinal)
      for (unsigned number : promotion.allSums.results)
        values[number] =
            limitTo(builder, op.getLoc(), values[number],
                    getElementTypeOrSelf(op->getResult(number).getType()));
    return values;
  };
  kernel.start = [=](OpBuilder &builder, ValueRange outputs) mutable {
    return convert(builder, outputs, promotion.sumType, /*isFinal=*/false);
  };
  kernel.finish = [=](OpBuilder &builder, ValueRange outputs) mutable {
    return convert(builder, outputs, promotion.type, /*isFinal=*/true);
  };
}
