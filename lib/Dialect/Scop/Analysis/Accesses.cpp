//===- Accesses.cpp - Accesses of a kernel's statements -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Returns { name[i...] : 0 <= i < extents }.
static isl::set makeBox(isl::ctx ctx, StringRef name,
                        ArrayRef<int64_t> extents) {
  isl::space space = grout::detail::makeSpace(ctx, name, extents.size());
  isl::set box = isl::set::universe(space);
  for (auto [dim, extent] :
       llvm::zip_equal(grout::detail::getDims(space), extents))
    box = box.intersect(grout::detail::whereInRange(
        dim, grout::detail::makeSize(space, extent, "")));
  return box;
}

/// Returns { S[i...] -> [position, i..., 0...] } with `length` results.
static isl::map makeOrder(const isl::set &domain, unsigned position,
                          unsigned length) {
  isl::space space = domain.space();
  isl::aff_list times(domain.ctx(), length);
  times = times.add(grout::detail::makeSize(space, position, ""));
  for (const isl::aff &dim : grout::detail::getDims(space))
    times = times.add(dim);
  while (times.size() < length)
    times = times.add(grout::detail::makeSize(space, 0, ""));
  return isl::multi_aff(space.add_unnamed_tuple(length), times).as_map();
}

unsigned Accesses::getPosition(StringRef name) const {
  unsigned position = 0;
  for (StmtOp statement : statements) {
    if (statement.getSymName() == name)
      break;
    ++position;
  }
  return position;
}

isl::set Accesses::addArray(isl::ctx ctx, Value array) {
  auto [entry, isNew] = arrays.try_emplace(array);
  if (isNew) {
    entry->second = makeBox(ctx, "A" + std::to_string(arrays.size() - 1),
                            cast<MemRefType>(array.getType()).getShape());
    if (array.getDefiningOp<LocalOp>())
      locals = locals.unite(entry->second);
  }
  return entry->second;
}

isl::map Accesses::addAccess(unsigned position, StringRef kind, unsigned index,
                             Value array, AffineMap map) {
  const isl::set &domain = domains[position];
  isl::set elements = addArray(domain.ctx(), array);
  isl::map access =
      grout::detail::toMap(map, domain.space())
          .set_range_tuple(std::string(isl_set_get_tuple_name(elements.get())))
          .intersect_domain(domain);
  isl::map outside = access.subtract(
      isl::map::universe(access.space()).intersect_range(elements));
  if (!outside.is_empty()) {
    grout::detail::PairPoint point = grout::detail::samplePair(outside);
    throw Complaint{statements[position],
                    kind.str() + " " + std::to_string(index) + " at " +
                        grout::detail::formatTuple(point.in) +
                        " is of element " +
                        grout::detail::formatTuple(point.out) +
                        ", which is outside of the array"};
  }
  return access;
}

/// Whether write `index` of `op` is to another element at each point.
static bool writesOnce(StmtOp op, unsigned index) {
  AffineMap map = op.getWriteMap(index);
  return llvm::all_of(llvm::enumerate(op.getExtents()), [&](auto entry) {
    return entry.value() == 1 ||
           llvm::is_contained(map.getResults(),
                              getAffineDimExpr(entry.index(), op.getContext()));
  });
}

void Accesses::classifyArrays() {
  llvm::SmallPtrSet<Value, 16> read, written;
  for (StmtOp op : statements) {
    // A statement reads before it writes.
    read.insert_range(op.getReads());
    for (auto [index, array] : llvm::enumerate(op.getWrites())) {
      isl::set &elements = arrays.find(array)->second;
      if (op.isReduction())
        combined = combined.unite(elements);
      if (!written.insert(array).second || !writesOnce(op, index))
        rewritten = rewritten.unite(elements);
      if (read.contains(array))
        overwritten = overwritten.unite(elements);
    }
  }
}

Accesses::Accesses(isl::ctx ctx, KernelOp kernel)
    : order(isl::union_map::empty(ctx)), reads(order), reductionWrites(order),
      otherWrites(order), locals(isl::union_set::empty(ctx)), combined(locals),
      rewritten(locals), overwritten(locals) {
  statements = llvm::to_vector(kernel.getStatements());
  unsigned length = 1;
  for (StmtOp statement : statements)
    length = std::max(length, statement.getNumIterators() + 1);
  for (auto [position, op] : llvm::enumerate(statements)) {
    StmtOp statement = op;
    isl::set domain =
        makeBox(ctx, statement.getSymName(), statement.getExtents());
    domains.push_back(domain);
    order = order.unite(isl::union_map(makeOrder(domain, position, length)));
    for (auto [index, array] : llvm::enumerate(statement.getReads()))
      reads = reads.unite(isl::union_map(addAccess(
          position, "read", index, array, statement.getReadMap(index))));
    std::optional<isl::map> combines;
    for (auto [index, array] : llvm::enumerate(statement.getWrites())) {
      isl::map write = addAccess(position, "write", index, array,
                                 statement.getWriteMap(index));
      if (!statement.isReduction()) {
        otherWrites = otherWrites.unite(isl::union_map(write));
        continue;
      }
      reductionWrites = reductionWrites.unite(isl::union_map(write));
      isl::map same = write.apply_range(write.reverse());
      isl::map lexLess = isl::manage(isl_map_lex_lt(domain.space().release()));
      isl::map earlier = same.intersect(lexLess).coalesce();
      combines = combines ? combines->unite(earlier) : earlier;
    }
    selfCombines.push_back(combines);
  }
  classifyArrays();
}
