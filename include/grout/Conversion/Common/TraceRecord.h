//===- TraceRecord.h - Kernels that record their times ----------*- C++ -*-===//
//
// Part of Grout. Code of GPU kernels that writes a record of when work began
// and ended, for `grout-compile --trace`. docs/KernelABI.md describes the
// records.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_TRACERECORD_H
#define GROUT_CONVERSION_COMMON_TRACERECORD_H

#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Returns whether kernels of `module` record their times, because the module
/// around it has `grout.trace`.
bool isTraced(mlir::gpu::GPUModuleOp module);

/// Returns whether `kernel` has code that records times.
bool hasTrace(mlir::LLVM::LLVMFuncOp kernel);

/// The beginning of some work: when it began, and the place in the trace.
struct TraceStart {
  mlir::Value time, place;
};

/// Emits, for one thread, the beginning of some work. The thread takes the next
/// place in the trace of its kernel; it does not wait for that before it needs
/// the place.
TraceStart emitTraceStart(mlir::ImplicitLocOpBuilder &b);

/// Emits, for the same thread, the end of the work: it writes the record if the
/// trace has the place. `task` has the words of the task: body, x, y, z.
void emitTraceEnd(mlir::ImplicitLocOpBuilder &b, const TraceStart &start,
                  kernelabi::TraceRole role, mlir::ValueRange task);

/// Lets each block of `kernel` record when its first thread began, and when its
/// last warp ended. The place in the trace is the number of the block.
void traceBlocks(mlir::LLVM::LLVMFuncOp kernel);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_TRACERECORD_H
