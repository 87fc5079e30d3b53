//===- ReferenceCollectives.cpp - Collective ops of references ------------===//
//
// Part of Grout. Collective ops have no plain kernels: what a rank computes
// needs data of the other ranks. The reference has the op itself, in the
// reference's types, as a launch for which convert-tiles-to-kernels makes the
// kernel.
//
//===----------------------------------------------------------------------===//

#include "ReferencePlan.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;
using collective::CollectiveOpInterface;

/// Adds the body of `launch`: `op`, on tensors with elements of `type`.
static void addBody(launch::TilesOp launch, CollectiveOpInterface op,
                    Type type) {
  OpBuilder builder(launch.getContext());
  Block &body = launch.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  Value input =
      body.addArgument(op.getInput().getType().clone(type), op.getLoc());
  IRMapping mapping;
  mapping.map(op.getInput(), input);
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(op.getOutput().getType().clone(type));
  launch::YieldOp::create(builder, op.getLoc(), copy->getResults());
}

LogicalResult ReferencePlan::buildCollective(CollectiveOpInterface op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getInput(), op);
  if (failed(source))
    return failure();
  if (source->isUndefined())
    return refuse(op, "it reads a tensor that nothing has written");
  if (op.getRanks() == 1) {
    tensors[op.getOutput()] = *source;
    return success();
  }
  // Sums over ranks are sums in f32.
  Type given = op.isSum() ? Type(Float32Type::get(op.getContext()))
                          : promote(op.getInput().getType().getElementType());
  ReferenceTensor input =
      createBuffer(op.getLoc(), op.getInput().getType().getShape(), given);
  buildCopy(op.getLoc(), *source, input);

  ArrayRef<int64_t> shape = op.getOutput().getType().getShape();
  ReferenceTensor output = createBuffer(op.getLoc(), shape, given);
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  auto launch = launch::TilesOp::create(builder, op.getLoc(), getKernelName(),
                                        ValueRange{input.buffer},
                                        ValueRange{output.buffer});
  addBody(launch, op, given);
  addLaunch(launch);

  Type type = promote(op.getOutput().getType().getElementType());
  ReferenceTensor &result = tensors[op.getOutput()];
  result = output;
  if (type == given)
    return success();
  result = createBuffer(op.getLoc(), shape, type);
  buildCopy(op.getLoc(), output, result);
  return success();
}
