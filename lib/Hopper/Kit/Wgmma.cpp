//===- Wgmma.cpp - Hopper's matrix instruction ----------------------------===//
//
// Part of Grout. MMAs are inline assembly with tied accumulators. The nvvm op
// has the choice between keeping and ignoring the old accumulators as an
// attribute, so the first step would have to be peeled, which would double the
// code. One assembly call has all MMAs of a chunk, because LLVM's time grows
// with the operands of each call.
//
// LLVM and ptxas see registers that an asynchronous instruction writes. An
// empty assembly that claims to change these registers stands at the points
// where they may be read or written. So no access to them moves across these
// points.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/Wgmma.h"

#include "grout/Hopper/Kit/Accumulators.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

// Fields of the descriptor of a matrix in shared memory, in units of 16 bytes.
static constexpr int64_t kStartAddressMask = 0x3FFF;
static constexpr int64_t kLeadingOffsetShift = 16;
/// In the high half of the descriptor: the swizzle, over 128 or 64 bytes.
static constexpr int64_t kSwizzleShift = 30;
static constexpr int64_t kSwizzle128 = 1, kSwizzle64 = 2;

Mma::~Mma() = default;

Value Wgmma::emitSums(DeviceBuilder &b, const MmaShape &shape) const {
  return emitZeroAccumulators(b, shape.columns / 2);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value Wgmma::emitOperand(DeviceBuilder &b, Value address,
                         const MmaLayout &layout) const {
  // If the reduction is contiguous, one row of shared memory has all of a
  // chunk. If the operand is MN-major, the next block of columns follows after
  // all rows of this block.
  int64_t leading = layout.isMNMajor ? layout.blockDepth * layout.rowBytes : 16;
  // In a cluster, the bits above give the number of the block.
  Value start = b.bitAnd(b.shiftRight(address, 4), kStartAddressMask);
  return b.bitOr(start, (leading >> 4) << kLeadingOffsetShift);
}

Value Wgmma::emitMoved(DeviceBuilder &b, Value operand, int64_t bytes) const {
  return b.add(operand, bytes / 16);
}

/// Returns the bytes from the elements of one wgmma to those of the next, along
/// the reduction.
static int64_t getDepthStride(const MmaTraits &traits,
                              const MmaLayout &layout) {
  return traits.depth *
         (layout.isMNMajor ? layout.rowBytes : traits.elementBytes);
}

/// 32-bit words of A for one instruction, if A is in registers.
static constexpr int64_t kFragmentWords = 4;

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

/// Returns the constraints of `count` floats that are outputs and tied inputs.
static std::string getTiedConstraints(int64_t count) {
  std::string constraints;
  for (int64_t i = 0; i != count; ++i)
    constraints += "=f,";
  for (int64_t i = 0; i != count; ++i)
    constraints += std::to_string(i) + ",";
  constraints.pop_back();
  return constraints;
}

/// Emits an empty assembly that claims to change `accumulators`.
static SmallVector<Value> tie(DeviceBuilder &b, ValueRange accumulators) {
  SmallVector<Value> results;
  for (Value accumulator : accumulators) {
    SmallVector<Value> values = unpackAccumulators(b, accumulator);
    results.push_back(b.assembly(accumulator.getType(), values, "",
                                 getTiedConstraints(values.size()),
                                 /*touchesMemory=*/true));
  }
  return results;
}

SmallVector<Value> Wgmma::emitFence(DeviceBuilder &b, ValueRange sums) const {
  SmallVector<Value> results = tie(b, sums);
  NVVM::WgmmaFenceAlignedOp::create(b);
  return results;
}

/// Returns the whole descriptor with the low half `low`.
static Value emitWide(DeviceBuilder &b, Value low, const MmaLayout &layout) {
  int64_t swizzle = layout.rowBytes == kRowBytes ? kSwizzle128 : kSwizzle64;
  // The high half: the distance between groups of rows, and the swizzle.
  uint64_t bits =
      (kSwizzleRows * layout.rowBytes >> 4) | (swizzle << kSwizzleShift);
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), low);
  Value high = arith::ConstantIntOp::create(b, b.getI64Type(),
                                            static_cast<int64_t>(bits << 32));
  return arith::OrIOp::create(b, wide, high);
}

/// Prints the name of a wgmma instruction, and its accumulators.
static void printInstruction(llvm::raw_ostream &os, const MmaTraits &traits,
                             const MmaShape &shape) {
  os << "wgmma.mma_async.sync.aligned.m64n" << shape.columns << "k"
     << traits.depth << ".f32." << traits.name << "." << traits.name << " {";
  for (int64_t i = 0; i != shape.columns / 2; ++i)
    os << (i ? ", $" : "$") << i;
  os << "}, ";
}

Value Wgmma::emit(DeviceBuilder &b, const MmaShape &shape, Value sums,
                  Value operandA, Value operandB, Value keeps,
                  int64_t count) const {
  int64_t accumulators = shape.columns / 2;
  int64_t aOperand = 2 * accumulators, bOperand = aOperand + 1;

  MmaTraits traits = *findTraits(shape.inputType);
  std::string code;
  llvm::raw_string_ostream os(code);
  // The registers' names have a '%', which no kernel's name has. ptxas crashes
  // if a register has the name of another kernel.
  os << "{\n.reg .pred %keeps;\n.reg .b64 %a, %b;\n"
     << "setp.ne.b32 %keeps, $" << bOperand + 1 << ", 0;\n";
  for (int64_t part = 0; part != count; ++part) {
    // Moves the operands, in the descriptor's unit of 16 bytes.
    os << "add.s64 %a, $" << aOperand << ", "
       << part * getDepthStride(traits, shape.a) / 16 << ";\n"
       << "add.s64 %b, $" << bOperand << ", "
       << part * getDepthStride(traits, shape.b) / 16 << ";\n";
    if (part == 1)
      os << "setp.eq.b32 %keeps, 0, 0;\n";
    printInstruction(os, traits, shape);
    os << "%a, %b, %keeps, 1, 1";
    if (traits.takesMNMajor)
      os << ", " << shape.a.isMNMajor << ", " << shape.b.isMNMajor;
    os << ";\n";
  }
  os << "}";

  SmallVector<Value> operands = unpackAccumulators(b, sums);
  operands.append(
      {emitWide(b, operandA, shape.a), emitWide(b, operandB, shape.b), keeps});
  return b.assembly(sums.getType(), operands, code,
                    getTiedConstraints(accumulators) + ",l,l,r",
                    /*touchesMemory=*/true);
}

Value Wgmma::emitFromRegisters(DeviceBuilder &b, const MmaShape &shape,
                               Value sums, ValueRange a, Value operandB) const {
  int64_t count = shape.columns / 2;
  int64_t words = static_cast<int64_t>(a.size());
  int64_t aOperand = 2 * count, bOperand = aOperand + words;
  MmaTraits traits = *findTraits(shape.inputType);
  std::string code;
  llvm::raw_string_ostream os(code);
  os << "{\n.reg .pred %keeps;\n.reg .b64 %b;\n"
     << "setp.eq.b32 %keeps, 0, 0;\n";
  for (int64_t part = 0; part != words / kFragmentWords; ++part) {
    os << "add.s64 %b, $" << bOperand << ", "
       << part * getDepthStride(traits, shape.b) / 16 << ";\n";
    printInstruction(os, traits, shape);
    os << "{";
    for (int64_t i = 0; i != kFragmentWords; ++i)
      os << (i ? ", $" : "$") << aOperand + kFragmentWords * part + i;
    os << "}, %b, %keeps, 1, 1, " << shape.b.isMNMajor << ";\n";
  }
  os << "}";

  SmallVector<Value> operands = unpackAccumulators(b, sums);
  operands.append(a.begin(), a.end());
  operands.push_back(emitWide(b, operandB, shape.b));
  std::string constraints = getTiedConstraints(count);
  for (int64_t i = 0; i != words; ++i)
    constraints += ",r";
  return b.assembly(sums.getType(), operands, code, constraints + ",l",
                    /*touchesMemory=*/true);
}

void Wgmma::emitGroup(DeviceBuilder &b) const {
  NVVM::WgmmaGroupSyncAlignedOp::create(b);
}

void Wgmma::emitWait(DeviceBuilder &b, int64_t pending) const {
  NVVM::WgmmaWaitGroupSyncOp::create(b, pending);
}

SmallVector<Value> Wgmma::emitFinish(DeviceBuilder &b, ValueRange sums,
                                     int64_t /*columns*/,
                                     int64_t pending) const {
  emitWait(b, pending);
  return tie(b, sums);
}
