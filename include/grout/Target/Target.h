//===- Target.h - A processor, and what compiles for it ---------*- C++ -*-===//
//
// Part of Grout. Targets are registered once, by name, before anything is
// compiled, as passes are. registerAllDialects registers Grout's own targets;
// registerTarget registers others. The attribute #grout.target names a target.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_TARGET_H
#define GROUT_TARGET_TARGET_H

#include "grout/Target/TargetSpec.h"
#include "mlir/Support/TypeID.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace grout {

/// Something that a target provides for a part of the compiler: for example, a
/// model of times, or a generator of kernels. Interfaces derive from this
/// class, and targets have objects of classes that derive from interfaces.
class TargetInterface {
public:
  virtual ~TargetInterface();
};

/// A processor that Grout compiles for.
class Target {
public:
  explicit Target(TargetSpec spec) : spec(spec) {}

  llvm::StringRef getName() const { return spec.name; }
  /// Returns the limits and rates of the processor.
  const TargetSpec &getSpec() const { return spec; }

  /// Returns the target's object for `Interface`; null if it has none.
  template <typename Interface> const Interface *getInterface() const {
    auto it = interfaces.find(mlir::TypeID::get<Interface>());
    return it == interfaces.end()
               ? nullptr
               : static_cast<const Interface *>(it->second.get());
  }

  /// Sets the target's object for `Interface`, in place of a former one.
  template <typename Interface>
  void setInterface(std::unique_ptr<Interface> interface) {
    interfaces[mlir::TypeID::get<Interface>()] = std::move(interface);
  }

private:
  TargetSpec spec;
  llvm::DenseMap<mlir::TypeID, std::unique_ptr<TargetInterface>> interfaces;
};

/// Registers `target`, in place of a target with the same name. Do not call
/// this while a module is compiled.
void registerTarget(std::unique_ptr<Target> target);

/// Returns the target called `name`; null if there is none.
const Target *lookupTarget(llvm::StringRef name);

/// Returns all targets, sorted by name.
llvm::SmallVector<const Target *> getAllTargets();

} // namespace grout

#endif // GROUT_TARGET_TARGET_H
