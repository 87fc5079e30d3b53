//===- ChainSemaphores.cpp - Places of a chain's semaphores ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/Transforms/ChainSemaphores.h"

#include "grout/Runtime/DeviceABI.h"

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

FailureOr<ChainSemaphores> ChainSemaphores::get(ChainOp chain) {
  ChainSemaphores all;
  for (DependenceOp dependence : chain.getDependences()) {
    if (!dependence.isByTile())
      continue;
    std::optional<PolicyAttr> policy = dependence.getPolicy();
    if (!policy)
      return dependence.emitOpError("has no policy; run tsync-select-policy");
    TileKernelOpInterface producer = dependence.getProducerKernel();

    SmallVector<Post> &posts = all.posts[producer];
    auto *post = llvm::find_if(posts, [&](const Post &candidate) {
      return candidate.policy.getSemaphore() == policy->getSemaphore() &&
             candidate.policy.getShape() == policy->getShape();
    });
    if (post == posts.end()) {
      posts.push_back({all.count, *policy});
      all.count += policy->getNumSemaphores();
      if (all.count > kernelabi::kMaxSemaphores)
        return dependence.emitOpError()
               << "is one of a chain that needs more than "
               << kernelabi::kMaxSemaphores
               << " semaphores; a coarser granularity needs fewer";
      post = &posts.back();
    }

    // Every block of a cluster posts.
    if (llvm::any_of(policy->getCounts(), [&](int64_t count) {
          return count > INT32_MAX / producer.getTileWork().clusterSize;
        }))
      return dependence.emitOpError("has a count that 32 bits do not hold for "
                                    "all blocks of the producer's clusters");
    all.waits[dependence.getConsumerKernel()].push_back(
        {post->base, dependence});
  }
  return all;
}

std::optional<int64_t> ChainSemaphores::getBase(DependenceOp dependence) const {
  for (const Wait &wait : waits.lookup(dependence.getConsumerKernel()))
    if (wait.dependence == dependence)
      return wait.base;
  return std::nullopt;
}

void ChainSemaphores::emit(OpBuilder &builder, TileKernelOpInterface kernel,
                           Operation *copy) const {
  for (const Post &post : posts.lookup(kernel))
    PostTilesOp::create(builder, kernel->getLoc(), copy->getResult(0),
                        post.base, post.policy.getSemaphore(),
                        post.policy.getShape());
  for (const Wait &wait : waits.lookup(kernel)) {
    DependenceOp dependence = wait.dependence;
    WaitTilesOp::create(
        builder, dependence.getLoc(), copy->getResult(0),
        dependence.getConsumerOperand().getOperandNumber(), wait.base,
        *dependence.getPolicy(),
        dependence.getProducerKernel().getTileWork().clusterSize);
  }
}
