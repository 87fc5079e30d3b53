//===- ScalarExpr.h - What an element of a tensor is computed by -*- C++ -*-==//
//
// Part of Grout. Ops of linalg in any number, and of any spelling, become one
// expression of scalars, in which equal parts are one object.
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

/// A tensor, and which element of it; or a scalar.
struct TensorElement {
  mlir::Value value;
  FactorIndex index;
};

/// An expression. `factors` are the digits of indices that it depends on.
struct ScalarExpr {
  enum class Kind {
    /// Of a tensor of which no more is known.
    element,
    constant,
    /// An index, as linalg.index gives it.
    index,
    /// `op` of `operands`.
    apply,
    /// `op` over all keys of `operands[0]`, starting from `constant`.
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
  /// Where tensors have this, first where it was computed.
  mutable llvm::SmallVector<TensorElement, 1> elements;

  /// The scalar operation, if it is an `OpTy`.
  template <typename OpTy> bool is() const {
    return kind == Kind::apply && llvm::isa<OpTy>(op);
  }
  template <typename... OpTys> bool isReduction() const {
    return kind == Kind::reduce && llvm::isa<OpTys...>(op);
  }
  bool dependsOn(llvm::ArrayRef<unsigned> list) const;
};

/// Without the casts between floats around `expr`.
const ScalarExpr *stripCasts(const ScalarExpr *expr);

/// The value of constants, and of simple functions of them.
std::optional<double> getFloatConstant(const ScalarExpr *expr);
std::optional<bool> getBoolConstant(const ScalarExpr *expr);

/// Whether `part` is in `expr`.
bool contains(const ScalarExpr *expr, const ScalarExpr *part);

/// All expressions in `expr`, each once, operands first.
std::vector<const ScalarExpr *> getParts(const ScalarExpr *expr);

/// Makes the expressions, and owns them.
class ScalarExprBuilder {
public:
  /// What is known of values in the body of an op.
  using Values = llvm::DenseMap<mlir::Value, const ScalarExpr *>;

  /// Reductions of as many elements as `keys` has are taken to be over these.
  ScalarExprBuilder(IndexFactors &factors, llvm::ArrayRef<unsigned> keys,
                    mlir::MLIRContext *context)
      : factors(factors), keys(keys), context(context) {}

  /// What computes an element of `tensor`.
  const ScalarExpr *get(mlir::Value tensor, const FactorIndex &index,
                        unsigned depth = 0);

  /// What computes `wanted`, of the body of `op`, where the loops have `loops`
  /// as indices, and `values` of the body are known. Null if that is not known.
  const ScalarExpr *getBody(mlir::linalg::LinalgOp op, mlir::Value wanted,
                            const FactorIndex &loops, Values values,
                            unsigned depth = 0);

  /// An element of which no more is known.
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
