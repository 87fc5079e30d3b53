//===- Target.h - A processor, and what compiles for it ---------*- C++ -*-===//
//
// Part of Grout. Targets are registered once, by name, before anything is
// compiled, as passes are: those of Grout by registerAllDialects, others by
// registerTarget. The attribute #grout.target names one.
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

/// Something that a target has for a part of the compiler: a model of times, or
/// a generator of kernels. Interfaces derive from it, targets from these.
class TargetInterface {
public:
  virtual ~TargetInterface();
};

/// A processor that Grout compiles for.
class Target {
public:
  explicit Target(TargetSpec spec) : spec(spec) {}

  llvm::StringRef getName() const { return spec.name; }
  /// Its limits and rates.
  const TargetSpec &getSpec() const { return spec; }

  /// What it has of this kind; null if it has none.
  template <typename Interface> const Interface *getInterface() const {
    auto it = interfaces.find(mlir::TypeID::get<Interface>());
    return it == interfaces.end()
               ? nullptr
               : static_cast<const Interface *>(it->second.get());
  }

  /// Gives it `interface`, instead of one of this kind that it has.
  template <typename Interface>
  void setInterface(std::unique_ptr<Interface> interface) {
    interfaces[mlir::TypeID::get<Interface>()] = std::move(interface);
  }

private:
  TargetSpec spec;
  llvm::DenseMap<mlir::TypeID, std::unique_ptr<TargetInterface>> interfaces;
};

/// Makes `target` known, instead of one with its name. Not while anything is
/// compiled.
void registerTarget(std::unique_ptr<Target> target);

/// The target called `name`; null if there is none.
const Target *lookupTarget(llvm::StringRef name);

/// All targets, by name.
llvm::SmallVector<const Target *> getAllTargets();

} // namespace grout

#endif // GROUT_TARGET_TARGET_H
