//===- CheckResidents.h - Whether a target holds enough tiles ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TILESTOKERNELS_CHECKRESIDENTS_H
#define GROUT_LIB_CONVERSION_TILESTOKERNELS_CHECKRESIDENTS_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout {

/// Checks that `target` holds as many tiles of `launch` at once, with the
/// kernel `code`, as the launch needs to be free of deadlock. Fails with a
/// diagnostic that names a tile that waits, and the later tile that it waits
/// for.
mlir::LogicalResult checkResidents(launch::TilesOp launch,
                                   const LaunchCode &code,
                                   const TargetSpec &target);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_TILESTOKERNELS_CHECKRESIDENTS_H
