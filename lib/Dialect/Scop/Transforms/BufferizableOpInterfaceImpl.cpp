//===- BufferizableOpInterfaceImpl.cpp - Kernels on buffers ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Transforms/BufferizableOpInterfaceImpl.h"

#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace grout::scop;

namespace {

struct KernelOpInterface
    : DstBufferizableOpInterfaceExternalModel<KernelOpInterface, KernelOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto kernel = cast<KernelOp>(op);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs, outputs;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<TensorType>(value.getType())) {
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        value = *buffer;
      }
      bool isInit = kernel.isDpsInit(&operand);
      (isInit ? outputs : inputs).push_back(value);
    }
    auto bufferized =
        KernelOp::create(rewriter, op->getLoc(), TypeRange(), inputs, outputs,
                         kernel.getScheduleAttr());
    bufferized.getBody().takeBody(kernel.getBody());
    // The layout of a buffer may differ from that of the array.
    for (OpOperand &operand : bufferized->getOpOperands())
      bufferized.getArgument(operand).setType(operand.get().getType());
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};

} // namespace

void grout::scop::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ScopDialect *) {
    KernelOp::attachInterface<KernelOpInterface>(*context);
  });
}
