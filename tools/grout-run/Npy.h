//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of Grout. Reads and writes the .npy format (versions 1.0, 2.0 and 3.0,
// numpy.lib.format) for dense row-major arrays of the element types that
// artifacts have. NumPy has no bfloat16: its arrays are '<V2', as ml_dtypes
// saves them, or '<u2' if asked for. Integers are written as signed ones, and
// read with or without a sign.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_NPY_H
#define GROUT_TOOLS_GROUT_RUN_NPY_H

#include "HostTensor.h"

#include <vector>

namespace grout {
namespace run {

/// How bfloat16 appears in files.
enum class BFloatFiles {
  Void2,  // '<V2'
  Uint16, // '<u2'
};

/// Reads a file whose array must be of `tensor`'s type into its elements. The
/// tensor is allocated.
Status readNpy(const std::string &path, BFloatFiles bfloat, HostTensor &tensor);

Status writeNpy(const std::string &path, BFloatFiles bfloat,
                const HostTensor &tensor);

/// What a file's header says.
struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  /// Where the elements start in the file.
  uint64_t dataOffset = 0;
};

/// Parses the header of a file's first bytes.
Status parseNpyHeader(const std::vector<uint8_t> &bytes, NpyHeader &header);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_NPY_H
