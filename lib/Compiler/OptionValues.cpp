//===- OptionValues.cpp - Options as text ---------------------------------===//
//
// Part of Grout. Sets options by name, and describes them.
//
//===----------------------------------------------------------------------===//

#include "grout/Compiler/CompilerOptions.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace grout;

llvm::cl::ValuesClass grout::getEmitValues() {
  return llvm::cl::values(
      clEnumValN(EmitKind::Artifact, "artifact",
                 "file for grout-run and the runtime"),
      clEnumValN(EmitKind::MLIR, "mlir", "launch plan and kernels as MLIR"),
      clEnumValN(EmitKind::LLVM, "llvm", "kernels as one module of LLVM IR"),
      clEnumValN(EmitKind::PTX, "ptx", "kernels as one module of PTX (GPU)"),
      clEnumValN(EmitKind::Assembly, "asm",
                 "kernels as one file of assembly (CPU)"));
}

//===----------------------------------------------------------------------===//
// Names that are registered
//===----------------------------------------------------------------------===//

namespace {

/// The values of an option that takes the name of something registered.
struct RegisteredNames {
  /// Text for messages, such as "targets".
  StringRef plural;
  std::vector<std::string> names;
};

} // namespace

/// Returns the names that `option` takes; none if it takes other values.
static std::optional<RegisteredNames> getRegistered(StringRef option) {
  auto strings = [](ArrayRef<StringRef> names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  if (option == "target") {
    RegisteredNames targets{"targets", {}};
    for (const Target *target : getAllTargets())
      targets.names.push_back(target->getName().str());
    return targets;
  }
  if (option == "scop-tree") {
    RegisteredNames trees{"trees",
                          strings(scop::getConstraintTreePolicyNames())};
    trees.names.insert(trees.names.end(), {"from-ir", "none"});
    return trees;
  }
  if (option == "launch-policy")
    return RegisteredNames{"policies",
                           strings(launch::getSchedulingPolicyNames())};
  return std::nullopt;
}

llvm::Error grout::checkRegistered(StringRef option, StringRef value) {
  std::optional<RegisteredNames> registered = getRegistered(option);
  if (!registered || llvm::is_contained(registered->names, value))
    return llvm::Error::success();
  return llvm::createStringError(
      "unknown --" + option + " '" + value + "'; " + registered->plural +
      " are: " + llvm::join(registered->names, ", "));
}

//===----------------------------------------------------------------------===//
// Values of each type
//===----------------------------------------------------------------------===//

static llvm::Error refuseValue(StringRef name, StringRef value,
                               const llvm::Twine &wanted) {
  return llvm::createStringError("option '" + name + "' takes " + wanted +
                                 ", not '" + value + "'");
}

namespace {

/// The values of type `T` as text. In general, `T` is an enumeration, and the
/// option's parser knows the names.
template <typename T> struct Text {
  template <typename Opt> static std::vector<std::string> list(Opt &option) {
    std::vector<std::string> names;
    auto &parser = option.getParser();
    for (unsigned i = 0, e = parser.getNumOptions(); i != e; ++i)
      names.push_back(parser.getOption(i).str());
    return names;
  }
  template <typename Opt> static std::string print(Opt &option) {
    return option.getParser().findArgStrForValue(option.getValue())->str();
  }
  template <typename Opt> static llvm::Error set(Opt &option, StringRef value) {
    std::vector<std::string> names = list(option);
    if (!llvm::is_contained(names, value))
      return refuseValue(option.ArgStr, value, llvm::join(names, ", "));
    T parsed;
    // The value is valid, so the parser does not print an error.
    option.getParser().parse(option, option.ArgStr, value, parsed);
    option = parsed;
    return llvm::Error::success();
  }
};

template <> struct Text<bool> {
  template <typename Opt> static std::vector<std::string> list(Opt &) {
    return {"true", "false"};
  }
  template <typename Opt> static std::string print(Opt &option) {
    return option ? "true" : "false";
  }
  template <typename Opt> static llvm::Error set(Opt &option, StringRef value) {
    if (value != "true" && value != "false")
      return refuseValue(option.ArgStr, value, "true or false");
    option = value == "true";
    return llvm::Error::success();
  }
};

template <> struct Text<unsigned> {
  template <typename Opt> static std::vector<std::string> list(Opt &) {
    return {};
  }
  template <typename Opt> static std::string print(Opt &option) {
    return std::to_string(option);
  }
  template <typename Opt> static llvm::Error set(Opt &option, StringRef value) {
    unsigned number = 0;
    if (value.getAsInteger(10, number))
      return refuseValue(option.ArgStr, value,
                         "a number up to " + llvm::Twine(UINT32_MAX));
    option = number;
    return llvm::Error::success();
  }
};

template <> struct Text<std::string> {
  template <typename Opt> static std::vector<std::string> list(Opt &option) {
    std::optional<RegisteredNames> registered = getRegistered(option.ArgStr);
    return registered ? registered->names : std::vector<std::string>();
  }
  template <typename Opt> static std::string print(Opt &option) {
    return option;
  }
  template <typename Opt> static llvm::Error set(Opt &option, StringRef value) {
    if (llvm::Error error = checkRegistered(option.ArgStr, value))
      return error;
    option = value.str();
    return llvm::Error::success();
  }
};

} // namespace

/// Sets a list of modes that commas separate.
template <typename List>
static llvm::Error setModes(List &option, StringRef value) {
  SmallVector<tsync::Mode> modes;
  if (!value.empty())
    for (StringRef text : llvm::split(value, ',')) {
      std::optional<tsync::Mode> mode = tsync::symbolizeEdgeMode(text);
      if (!mode)
        return refuseValue(option.ArgStr, text, tsync::getEdgeModeNames());
      modes.push_back(*mode);
    }
  option = ArrayRef(modes);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All options
//===----------------------------------------------------------------------===//

llvm::Error CompilerOptions::set(StringRef name, StringRef value) {
#define GROUT_OPTION(type, member, option, initial, values, help)              \
  if (name == (option))                                                        \
    return Text<type>::set(member, value);
#define GROUT_LIST_OPTION(type, member, option, values, help)                  \
  if (name == (option))                                                        \
    return setModes(member, value);
#define GROUT_LIBRARY_OPTION GROUT_OPTION
#define GROUT_OUTPUT_OPTION GROUT_OPTION
#define GROUT_RESULT_OPTION GROUT_OPTION
#include "grout/Pipelines/Options.def"
  return llvm::createStringError("there is no option '" + name + "'");
}

std::vector<OptionDescription> grout::describeOptions() {
  CompilerOptions options;
  return {
#define GROUT_OPTION(type, member, name, initial, values, help)                \
  {name, help, Text<type>::print(options.member),                              \
   Text<type>::list(options.member), getRegistered(name).has_value()},
#define GROUT_LIST_OPTION(type, member, name, values, help)                    \
  {name, help, "", {}, false},
#define GROUT_LIBRARY_OPTION GROUT_OPTION
#define GROUT_OUTPUT_OPTION GROUT_OPTION
#define GROUT_RESULT_OPTION GROUT_OPTION
#include "grout/Pipelines/Options.def"
  };
}
