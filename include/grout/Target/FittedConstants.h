//===- FittedConstants.h - Constants fitted to a processor ------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_FITTEDCONSTANTS_H
#define GROUT_TARGET_FITTEDCONSTANTS_H

#include "grout/Target/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace grout {

/// A constant of a target's models: its name in the target's file, and its
/// value.
using NamedConstant = std::pair<llvm::StringRef, double>;

/// The constants of a target that are fitted to times measured on a processor.
/// `grout-tune fit` reads them through this interface, and tries others.
class FittedConstants : public TargetInterface {
public:
  /// Returns all constants, in the order of the target's file.
  virtual llvm::SmallVector<NamedConstant> getAll() const = 0;

  /// Returns the same target with other values for some constants.
  virtual llvm::Expected<std::unique_ptr<Target>>
  replace(llvm::ArrayRef<NamedConstant> values) const = 0;
};

/// Registers the target `name` with other constants, each given as
/// "name=value". Do not call this while a module is compiled.
llvm::Error replaceConstants(llvm::StringRef name,
                             llvm::ArrayRef<std::string> values);

} // namespace grout

#endif // GROUT_TARGET_FITTEDCONSTANTS_H
