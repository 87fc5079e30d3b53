//===- NamedRegistry.h - Objects that options name --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_NAMEDREGISTRY_H
#define GROUT_SUPPORT_NAMEDREGISTRY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <map>
#include <memory>
#include <string>

namespace grout {

/// Targets or policies, by the names that their `getName` returns. It is filled
/// before any compilation, and then only read.
template <typename T> class NamedRegistry {
public:
  /// Adds `object`, and replaces an object of the same name. Ends the process
  /// with an error if the object has no name, as no option could name it.
  void add(std::unique_ptr<T> object) {
    std::string name = object->getName().str();
    if (name.empty())
      llvm::reportFatalUsageError("a target or a policy has no name");
    objects[name] = std::move(object);
  }

  /// Returns the object called `name`; null if there is none.
  const T *lookup(llvm::StringRef name) const {
    auto it = objects.find(std::string_view(name));
    return it == objects.end() ? nullptr : it->second.get();
  }

  /// Returns all objects, in alphabetical order of their names.
  llvm::SmallVector<const T *> getAll() const {
    llvm::SmallVector<const T *> all;
    for (const auto &[name, object] : objects)
      all.push_back(object.get());
    return all;
  }

  /// Returns the names of all objects, in alphabetical order.
  llvm::SmallVector<llvm::StringRef> getNames() const {
    llvm::SmallVector<llvm::StringRef> names;
    for (const auto &[name, object] : objects)
      names.push_back(name);
    return names;
  }

private:
  std::map<std::string, std::unique_ptr<T>, std::less<>> objects;
};

} // namespace grout

#endif // GROUT_SUPPORT_NAMEDREGISTRY_H
