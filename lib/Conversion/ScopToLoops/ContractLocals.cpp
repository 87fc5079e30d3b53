//===- ContractLocals.cpp - Less memory for locals ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToLoops/ContractLocals.h"

#include "grout/Conversion/ScopToLoops/VectorAccess.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

/// An access of a local: the map of a read or write of a statement.
struct LocalAccess {
  StmtOp statement;
  AffineMap map;
};

} // namespace

static SmallVector<LocalAccess> getAccesses(LocalOp local) {
  SmallVector<LocalAccess> accesses;
  for (OpOperand &use : local.getArray().getUses()) {
    auto statement = cast<StmtOp>(use.getOwner());
    unsigned position = use.getOperandNumber();
    unsigned numReads = statement.getReads().size();
    accesses.push_back(
        {statement, position < numReads
                        ? statement.getReadMap(position)
                        : statement.getWriteMap(position - numReads)});
  }
  return accesses;
}

/// Returns { [first `length` times...] -> [indices...] } for all accesses.
/// `indices` are the subscripts of the accesses with those numbers.
static isl::map getIndices(isl::ctx ctx, KernelOp kernel,
                           ArrayRef<LocalAccess> accesses, unsigned length,
                           ArrayRef<unsigned> indices) {
  std::optional<isl::map> result;
  for (const LocalAccess &access : accesses) {
    isl::map times = getTimes(ctx, kernel, access.statement);
    unsigned rank = times.range_tuple_dim();
    times = isl::manage(isl_map_project_out(times.release(), isl_dim_out,
                                            length, rank - length));
    isl::space domain = isl::manage(isl_map_get_space(times.get())).domain();
    isl::map index =
        grout::detail::toMap(access.map.getSubMap(indices), domain);
    isl::map map = times.reverse().apply_range(index);
    result = result ? result->unite(map) : map;
  }
  return *result;
}

/// Returns the largest number of outer dimensions of the schedule that may
/// share a loop. None of these dimensions may be vectorised.
static unsigned getMaxLength(KernelOp kernel) {
  unsigned length = 0;
  for (DimAttr dim : kernel.getSchedule()->getDims()) {
    if (dim.getExecution().getVectorWidth() != 1)
      break;
    ++length;
  }
  return length;
}

/// Returns the dimensions of `local` that are needed.
static SmallVector<unsigned> getNeededDims(isl::ctx ctx, KernelOp kernel,
                                           ArrayRef<LocalAccess> accesses,
                                           unsigned rank) {
  SmallVector<unsigned> all = llvm::to_vector(llvm::seq(rank));
  unsigned length = getMaxLength(kernel);
  while (!getIndices(ctx, kernel, accesses, length, all)
              .reverse()
              .is_single_valued())
    --length;
  llvm::erase_if(all, [&](unsigned dim) {
    return getIndices(ctx, kernel, accesses, length, dim).is_single_valued();
  });
  return all;
}

/// Returns `maps`, in which accesses to `array` have only the results `dims`.
static ArrayAttr restrictMaps(Value array, ValueRange arrays, ArrayAttr maps,
                              ArrayRef<unsigned> dims) {
  SmallVector<Attribute> results;
  for (auto [accessed, attr] : llvm::zip_equal(arrays, maps)) {
    AffineMap map = cast<AffineMapAttr>(attr).getValue();
    results.push_back(
        AffineMapAttr::get(accessed == array ? map.getSubMap(dims) : map));
  }
  return ArrayAttr::get(maps.getContext(), results);
}

void grout::scop::contractLocals(
    isl::ctx ctx, KernelOp kernel,
    function_ref<bool(LocalOp local, MemRefType type)> accepts) {
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    SmallVector<LocalAccess> accesses = getAccesses(local);
    if (accesses.empty())
      continue;
    auto type = cast<MemRefType>(local.getArray().getType());
    SmallVector<unsigned> dims =
        getNeededDims(ctx, kernel, accesses, type.getRank());
    SmallVector<int64_t> shape = llvm::map_to_vector(
        dims, [&](unsigned dim) { return type.getDimSize(dim); });
    auto contracted = MemRefType::get(shape, type.getElementType());
    if (!accepts(local, contracted))
      continue;
    local.getArray().setType(contracted);
    llvm::SmallSetVector<StmtOp, 4> statements;
    for (const LocalAccess &access : accesses)
      statements.insert(access.statement);
    for (StmtOp statement : statements) {
      statement.setReadMapsAttr(restrictMaps(local.getArray(),
                                             statement.getReads(),
                                             statement.getReadMaps(), dims));
      statement.setWriteMapsAttr(restrictMaps(local.getArray(),
                                              statement.getWrites(),
                                              statement.getWriteMaps(), dims));
    }
  }
}
