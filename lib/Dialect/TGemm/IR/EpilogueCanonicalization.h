//===- EpilogueCanonicalization.h - Simpler epilogues -----------*- C++ -*-===//
//
// Part of Grout. For products that have `epilogue_inputs` and `epilogue_maps`.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_IR_EPILOGUECANONICALIZATION_H
#define GROUT_LIB_DIALECT_TGEMM_IR_EPILOGUECANONICALIZATION_H

#include "grout/Interfaces/NamesOperands.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"

namespace grout::tgemm {

/// Removes epilogue inputs that the epilogue does not use.
template <typename OpT>
struct DropUnusedEpilogueInputs : mlir::OpRewritePattern<OpT> {
  using mlir::OpRewritePattern<OpT>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const override {
    if (op.getEpilogue().empty() || hasNamedOperands(op))
      return mlir::failure();
    mlir::Block &block = op.getEpilogue().front();
    unsigned first = op.getNumProducts();
    llvm::BitVector unused(block.getNumArguments());
    llvm::SmallVector<mlir::Value> inputs;
    llvm::SmallVector<mlir::Attribute> maps;
    for (auto [index, input] : llvm::enumerate(op.getEpilogueInputs())) {
      if (block.getArgument(first + index).use_empty()) {
        unused.set(first + index);
        continue;
      }
      inputs.push_back(input);
      maps.push_back(op.getEpilogueMaps()[index]);
    }
    if (unused.none())
      return mlir::failure();
    rewriter.modifyOpInPlace(op, [&] {
      block.eraseArguments(unused);
      op.getEpilogueInputsMutable().assign(inputs);
      op.setEpilogueMapsAttr(rewriter.getArrayAttr(maps));
    });
    return mlir::success();
  }
};

/// Makes an epilogue input that occurs twice, with one map, occur once.
template <typename OpT>
struct MergeEpilogueInputs : mlir::OpRewritePattern<OpT> {
  using mlir::OpRewritePattern<OpT>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const override {
    if (op.getEpilogue().empty())
      return mlir::failure();
    mlir::Block &block = op.getEpilogue().front();
    unsigned first = op.getNumProducts();
    bool changed = false;
    for (unsigned i = 0, e = op.getEpilogueInputs().size(); i != e; ++i) {
      for (unsigned j = i + 1; j != e; ++j) {
        mlir::BlockArgument later = block.getArgument(first + j);
        if (op.getEpilogueInputs()[i] != op.getEpilogueInputs()[j] ||
            op.getEpilogueMaps()[i] != op.getEpilogueMaps()[j] ||
            later.use_empty())
          continue;
        rewriter.replaceAllUsesWith(later, block.getArgument(first + i));
        changed = true;
      }
    }
    return mlir::success(changed);
  }
};

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_IR_EPILOGUECANONICALIZATION_H
