//===- Comparison.cpp - How far an output is from its reference -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Numbers.h"

#include <algorithm>
#include <cmath>

using namespace grout;
using namespace grout::run;

/// Rounds `value` to `type`. A value that is too large becomes infinity.
static double convertTo(grout_element_type type, double value) {
  uint8_t element[sizeof(double)];
  writeElement(type, element, 0, value);
  return readElement(type, element, 0);
}

Difference run::compare(const HostTensor &output, const HostTensor &reference) {
  // The distance of two 64-bit integers may not be exact in a double.
  bool isExact = isInteger(output.type.elementType) &&
                 isInteger(reference.type.elementType);
  auto getDistance = [&](uint64_t i) -> double {
    int64_t actual =
        readInteger(output.type.elementType, output.data.data(), i);
    int64_t expected =
        readInteger(reference.type.elementType, reference.data.data(), i);
    auto distance =
        static_cast<uint64_t>(actual) - static_cast<uint64_t>(expected);
    return static_cast<double>(actual < expected ? -distance : distance);
  };
  Difference difference;
  double errorSquares = 0, referenceSquares = 0;
  for (uint64_t i = 0, end = output.type.elements(); i != end; ++i) {
    double actual = readElement(output.type.elementType, output.data.data(), i);
    double expected =
        readElement(reference.type.elementType, reference.data.data(), i);
    // The reference may have a wider type. Then a value that is finite there
    // may be infinite in the type of the output.
    if (!std::isfinite(actual))
      expected = convertTo(output.type.elementType, expected);
    if (!std::isfinite(actual) || !std::isfinite(expected)) {
      bool isSame =
          actual == expected || (std::isnan(actual) && std::isnan(expected));
      difference.outputNotFinite += !isSame && !std::isfinite(actual);
      difference.referenceNotFinite += !isSame && !std::isfinite(expected);
      continue;
    }
    double error = isExact ? getDistance(i) : actual - expected;
    errorSquares += error * error;
    referenceSquares += expected * expected;
    difference.maxAbsolute = std::max(difference.maxAbsolute, std::fabs(error));
  }
  difference.relative = std::sqrt(errorSquares);
  if (referenceSquares > 0)
    difference.relative /= std::sqrt(referenceSquares);
  return difference;
}

Summary run::summarise(const HostTensor &tensor) {
  Summary summary;
  double sum = 0;
  uint64_t finite = 0;
  for (uint64_t i = 0, end = tensor.type.elements(); i != end; ++i) {
    double value = readElement(tensor.type.elementType, tensor.data.data(), i);
    if (!std::isfinite(value)) {
      ++summary.notFinite;
      continue;
    }
    summary.min = finite ? std::min(summary.min, value) : value;
    summary.max = finite ? std::max(summary.max, value) : value;
    sum += value;
    ++finite;
  }
  summary.mean = finite ? sum / static_cast<double>(finite) : 0;
  return summary;
}
