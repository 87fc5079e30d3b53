//===- KernelParams.cpp - Parameters of a Hopper kernel -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/KernelParams.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

int64_t KernelParams::getOperand(Value buffer) {
  auto *it = llvm::find(buffers, buffer);
  if (it == buffers.end()) {
    buffers.push_back(buffer);
    return buffers.size() - 1;
  }
  return it - buffers.begin();
}

unsigned KernelParams::add(launch::ArgAttr arg) {
  auto *it = llvm::find(args, arg);
  if (it == args.end()) {
    args.push_back(arg);
    return args.size() - 1;
  }
  return it - args.begin();
}

unsigned KernelParams::addBufferAddress(Value buffer) {
  return add(launch::ArgAttr::get(buffer.getContext(), launch::ArgKind::buffer,
                                  getOperand(buffer)));
}

unsigned KernelParams::addTensorMap(Value buffer, int64_t offset,
                                    ArrayRef<int64_t> sizes,
                                    ArrayRef<int64_t> strides,
                                    ArrayRef<int64_t> box,
                                    launch::Swizzle swizzle,
                                    launch::Im2colAttr im2col) {
  return add(launch::ArgAttr::get(
      buffer.getContext(), launch::ArgKind::tensor_map, getOperand(buffer),
      offset, sizes, strides, box, swizzle, im2col,
      /*rank=*/-1));
}

unsigned KernelParams::add(launch::ArgKind kind, MLIRContext *context) {
  return add(launch::ArgAttr::get(context, kind));
}

unsigned KernelParams::addPeer(int64_t rank, MLIRContext *context) {
  return add(launch::ArgAttr::getPeer(context, rank));
}
