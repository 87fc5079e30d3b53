//===- WaitBoxes.cpp - Boxes of semaphores to wait for --------------------===//
//
// Part of Grout. Defines the boxes of a policy.
//
//===----------------------------------------------------------------------===//

#include "PolicySupport.h"
#include <isl/aff.h>
#include <isl/space.h>

using namespace mlir;

namespace grout {
namespace detail {

isl::map semaphoreMap(isl::ctx ctx, const SemaphorePolicy &policy,
                      const TileKernel &producer) {
  return toMap(policy.semaphore,
               makeSpace(ctx, producer.name, producer.grid.size()))
      .intersect_domain(tileSet(ctx, producer));
}

isl::pw_aff lastSemaphore(const isl::space &space,
                          const SemaphorePolicy &policy,
                          const TileKernel &producer, unsigned dim) {
  if (!ShapedType::isDynamic(policy.shape[dim]))
    return makeSize(space, policy.shape[dim] - 1, "");
  // In a dynamic dimension, use the largest coordinate that any tile posts.
  isl::ctx ctx = space.ctx();
  isl::pw_aff last =
      semaphoreMap(ctx, policy, producer).range().max_multi_pw_aff().at(dim);
  isl::space aligned = isl::manage(
      isl_space_align_params(space.copy(), isl_pw_aff_get_space(last.get())));
  return last.insert_domain(aligned);
}

isl::map waitMap(isl::ctx ctx, const SemaphorePolicy &policy,
                 const TileKernel &producer, const TileKernel &consumer) {
  unsigned rank = policy.shape.size();
  isl::space space = makeSpace(ctx, consumer.name, consumer.grid.size() + 1);
  llvm::SmallVector<isl::aff> dims = getDims(space);
  isl::set steps =
      stepSet(ctx, consumer)
          .intersect(dims.back().ge_set(makeSize(space, policy.firstStep, "")));
  for (AffineExpr guard : policy.guards)
    steps =
        steps.intersect(isl::pw_aff(toAff(guard, space, dims))
                            .ge_set(isl::pw_aff(space.zero_aff_on_domain())));

  isl::pw_aff zero = space.zero_aff_on_domain();
  isl::pw_aff_list lower(ctx, rank), upper(ctx, rank);
  for (unsigned dim = 0; dim < rank; ++dim) {
    isl::pw_aff last = lastSemaphore(space, policy, producer, dim);
    auto clamp = [&](AffineExpr expr) {
      isl::pw_aff value = toAff(expr, space, dims);
      value = value.intersect_domain(steps);
      if (!value.lt_set(zero).is_empty())
        value = value.max(zero);
      if (!value.gt_set(last).is_empty())
        value = value.min(last);
      return value.coalesce();
    };
    lower = lower.add(clamp(policy.waitLower.getResult(dim)));
    upper = upper.add(clamp(policy.waitUpper.getResult(dim)));
  }
  isl::space mapSpace = space.add_unnamed_tuple(rank);
  isl::map box = isl::map::universe(mapSpace).intersect_domain(steps);
  if (rank == 0)
    return box;
  return box.lower_bound(isl::multi_pw_aff(mapSpace, lower))
      .upper_bound(isl::multi_pw_aff(mapSpace, upper))
      .coalesce();
}

} // namespace detail

llvm::Expected<Relation> getWaitedTiles(const IslContext &context,
                                        const SemaphorePolicy &policy,
                                        const TileKernel &producer,
                                        const TileKernel &consumer) {
  return detail::guarded(context, [&] {
    isl::map waits = detail::waitMap(context.get(), policy, producer, consumer);
    isl::map posts = detail::semaphoreMap(context.get(), policy, producer);
    return detail::wrap(context, waits.apply_range(posts.reverse()).coalesce());
  });
}

} // namespace grout
