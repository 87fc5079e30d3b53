//===- ScalarExpr.h - What an element of a tensor is computed by -*- C++ -*-==//
//
// Part of Grout. Any number of linalg ops, in any form, become one expression
// of scalars. Equal parts of expressions are one object.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCALAREXPR_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCALAREXPR_H

#include "IndexFactors.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <map>
#include <memory>
#include <vector>

namespace grout {

/// A tensor and the index of an element; or a scalar.
struct TensorElement {
  mlir::Value value;
  FactorIndex index;
};

/// An expression. `factors` are the index digits on which it depends.
struct ScalarExpr {
  enum class Kind {
    /// An element of a tensor that is not analysed further.
    element,
    constant,
    /// An index, as from linalg.index.
    index,
    /// `op`, applied to `operands`.
    apply,
    /// The combination by `op` of `operands[0]` over all keys, starting from
    /// `constant`.
    reduce,
    /// linalg.softmax along the keys of `operands[0]`.
    softmax,
  };
  explicit ScalarExpr(Kind kind, mlir::Type type, mlir::Operation *op = nullptr)
      : kind(kind), type(type), op(op) {}

  Kind kind;
  mlir::Type type;
  mlir::Operation *op;
  llvm::SmallVector<const ScalarExpr *, 3> operands;
  mlir::TypedAttr constant;
  FactorList index;
  FactorList factors;
  /// The elements of tensors that hold this value. The tensor where it was
  /// computed comes first.
  mutable llvm::SmallVector<TensorElement, 1> elements;

  /// Whether the expression applies an `OpTy`.
  template <typename OpTy> bool is() const {
    return kind == Kind::apply && llvm::isa<OpTy>(op);
  }
  template <typename... OpTys> bool isReduction() const {
    return kind == Kind::reduce && llvm::isa<OpTys...>(op);
  }
  bool dependsOn(llvm::ArrayRef<unsigned> list) const;
};

/// Returns `expr` without the casts between floats around it.
const ScalarExpr *stripCasts(const ScalarExpr *expr);

/// Return the value of `expr` if it is a constant, or a simple function of
/// constants.
std::optional<double> getFloatConstant(const ScalarExpr *expr);
std::optional<bool> getBoolConstant(const ScalarExpr *expr);

/// Whether `part` is a part of `expr`.
bool contains(const ScalarExpr *expr, const ScalarExpr *part);

/// Returns all parts of `expr`, each once, operands first.
std::vector<const ScalarExpr *> getParts(const ScalarExpr *expr);

/// Builds expressions, and owns them.
class ScalarExprBuilder {
public:
  /// The expressions of values in the body of an op, as far as they are known.
  using Values = llvm::DenseMap<mlir::Value, const ScalarExpr *>;

  /// Takes reductions over as many elements as `keys` has to be over `keys`.
  ScalarExprBuilder(IndexFactors &factors, llvm::ArrayRef<unsigned> keys,
                    mlir::MLIRContext *context)
      : factors(factors), keys(keys), context(context) {}

  /// Returns the expression of an element of `tensor`.
  const ScalarExpr *get(mlir::Value tensor, const FactorIndex &index,
                        unsigned depth = 0);

  /// Returns the expression of `wanted`, in the body of `op`, if loops have the
  /// indices `loops`, and `values` of the body are known. Returns null if it is
  /// not known.
  const ScalarExpr *getBody(mlir::linalg::LinalgOp op, mlir::Value wanted,
                            const FactorIndex &loops, Values values,
                            unsigned depth = 0);

  /// Returns the expression of an element that is not analysed further.
  const ScalarExpr *getElement(mlir::Value tensor, const FactorIndex &index);

private:
  using Key = std::tuple<int, std::vector<const void *>,
                         std::vector<std::vector<unsigned>>>;

  const ScalarExpr *compute(mlir::Value tensor, const FactorIndex &index,
                            unsigned depth);
  const ScalarExpr *computeReshape(mlir::Operation *op,
                                   const FactorIndex &index, unsigned depth);
  const ScalarExpr *computeSoftmax(mlir::linalg::SoftmaxOp op,
                                   const FactorIndex &index, unsigned depth);
  const ScalarExpr *computeSlice(mlir::Operation *op, const FactorIndex &index,
                                 unsigned depth);
  const ScalarExpr *computeLinalg(mlir::linalg::LinalgOp op, unsigned result,
                                  const FactorIndex &index, unsigned depth);
  const ScalarExpr *computeReduction(mlir::linalg::LinalgOp op, unsigned result,
                                     FactorIndex loops, unsigned depth);
  const ScalarExpr *getRead(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                            const FactorIndex &loops, unsigned depth);
  const ScalarExpr *getIndex(const FactorList &loop);
  const ScalarExpr *getScalar(mlir::Operation &op, const FactorIndex &loops,
                              const Values &values, unsigned depth);
  const ScalarExpr *getValue(mlir::Value value, mlir::Block *body,
                             const Values &values);
  const ScalarExpr *getExtract(mlir::tensor::ExtractOp op,
                               llvm::ArrayRef<const ScalarExpr *> indices,
                               unsigned depth);
  const ScalarExpr *getOutside(mlir::Value scalar);
  const ScalarExpr *getConstant(mlir::TypedAttr constant);
  const ScalarExpr *getApply(mlir::Operation *op,
                             llvm::ArrayRef<const ScalarExpr *> operands);
  const ScalarExpr *getUnique(const Key &key, ScalarExpr expr);

  IndexFactors &factors;
  FactorList keys;
  mlir::MLIRContext *context;
  std::map<Key, std::unique_ptr<ScalarExpr>> exprs;
  std::map<std::pair<void *, std::vector<std::vector<unsigned>>>,
           const ScalarExpr *>
      known;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCALAREXPR_H
