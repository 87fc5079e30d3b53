//===- LaunchGenerator.h - Makes kernels of launches ------------*- C++ -*-===//
//
// Part of Grout. The interface between plans and code:
// `convert-tiles-to-kernels` asks the generators of the target for the kernel
// of each launch.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_LAUNCHGENERATOR_H
#define GROUT_CONVERSION_COMMON_LAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Target/Target.h"
#include <vector>

namespace grout {

/// The kernel of a launch: the attributes that launch.kernel has and
/// launch.tiles has not.
struct LaunchCode {
  /// Names of functions in the module of kernels.
  llvm::SmallVector<std::string> entries;
  /// The buffers to which `args` refer.
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<mlir::Attribute> args;
  llvm::SmallVector<llvm::SmallVector<int64_t>> grids;
  /// The order of tasks; empty if the grid is fixed.
  llvm::SmallVector<mlir::AffineMap> order;
  int64_t residents = 1;
  int64_t block = 0;
  int64_t cluster = 1;
  int64_t sharedMemory = 0;
  int64_t blocksPerProcessor = 1;
  /// The number of blocks of each kernel, if several kernels share the launch.
  llvm::SmallVector<int64_t> parts;
  /// The memory with which the launch exchanges data with other ranks; null if
  /// it does not.
  launch::ExchangeAttr exchange;
};

/// Makes kernels of launches of some kinds of tile kernels. A generator has no
/// state, because several modules may be compiled at the same time.
class LaunchGenerator {
public:
  virtual ~LaunchGenerator();

  /// Whether the generator makes kernels of launches such as `launch`. The
  /// first generator for which this holds makes the kernel.
  virtual bool handles(launch::TilesOp launch) const = 0;

  /// Adds the kernel of `launch` to `module`, which comes from
  /// LaunchGenerators::createModule of the target. Functions are named after
  /// the launch. The kernel takes the buffers of all outputs. Fails with a
  /// diagnostic that names the op that cannot be compiled.
  virtual mlir::FailureOr<LaunchCode>
  generate(launch::TilesOp launch, LaunchTensors &tensors,
           mlir::Operation *module, const TargetSpec &target) const = 0;
};

/// The generators of a target.
class LaunchGenerators : public TargetInterface {
public:
  /// Adds `generator`. It takes precedence over the present generators.
  void add(std::unique_ptr<LaunchGenerator> generator);

  /// Returns the generator that makes kernels of launches such as `launch`;
  /// null if there is none.
  const LaunchGenerator *find(launch::TilesOp launch) const;

  /// Creates an empty module called `name` for the kernels of a plan.
  virtual mlir::Operation *createModule(mlir::OpBuilder &builder,
                                        mlir::Location loc,
                                        llvm::StringRef name,
                                        const TargetSpec &target) const = 0;

private:
  std::vector<std::unique_ptr<LaunchGenerator>> generators;
};

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_LAUNCHGENERATOR_H
