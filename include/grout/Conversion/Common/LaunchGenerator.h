//===- LaunchGenerator.h - What makes kernels of launches -------*- C++ -*-===//
//
// Part of Grout. The joint between plans and code: `convert-tiles-to-kernels`
// asks the generators of the target for the kernel of each launch.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_LAUNCHGENERATOR_H
#define GROUT_CONVERSION_COMMON_LAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Target/Target.h"
#include <vector>

namespace grout {

/// The kernel of a launch: what launch.kernel says beside what its launch.tiles
/// says already.
struct LaunchCode {
  /// Functions of the module of kernels.
  llvm::SmallVector<std::string> entries;
  /// The buffers that `args` name.
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<mlir::Attribute> args;
  llvm::SmallVector<llvm::SmallVector<int64_t>> grids;
  /// Of tasks; none for a fixed grid.
  llvm::SmallVector<mlir::AffineMap> order;
  int64_t residents = 1;
  int64_t block = 0;
  int64_t cluster = 1;
  int64_t sharedMemory = 0;
  int64_t blocksPerProcessor = 1;
  /// Blocks of each kernel, if several share the launch.
  llvm::SmallVector<int64_t> parts;
};

/// Makes kernels of launches of some kinds of tile kernels. It has no state:
/// modules may be compiled at the same time.
class LaunchGenerator {
public:
  virtual ~LaunchGenerator();

  /// Whether it makes kernels of launches such as `launch`. Of those that do,
  /// the first is asked for one.
  virtual bool handles(launch::TilesOp launch) const = 0;

  /// Adds the kernel of `launch` to `module`, which is what the target's
  /// LaunchGenerators::createModule made. Functions are named after the launch.
  /// Fails with a diagnostic that names what cannot be compiled. The kernel
  /// takes the buffers of all outputs.
  virtual mlir::FailureOr<LaunchCode>
  generate(launch::TilesOp launch, LaunchTensors &tensors,
           mlir::Operation *module, const TargetSpec &target) const = 0;
};

/// The generators of a target.
class LaunchGenerators : public TargetInterface {
public:
  /// Adds `generator`, before those that it has.
  void add(std::unique_ptr<LaunchGenerator> generator);

  /// The one that makes kernels of launches such as `launch`; null if none
  /// does.
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
