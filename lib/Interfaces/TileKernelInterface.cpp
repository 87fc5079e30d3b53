//===- TileKernelInterface.cpp - Ops that run as a grid of tiles ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Interfaces/TileKernelInterface.h"

#include "grout/Interfaces/TileKernelInterface.cpp.inc"
