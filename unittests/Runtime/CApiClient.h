//===- CApiClient.h - A client of the C API that is C -------------*- C -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_RUNTIME_CAPICLIENT_H
#define GROUT_UNITTESTS_RUNTIME_CAPICLIENT_H

#include "grout-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of a module's description, 0 if it cannot be described.
size_t grout_test_count_description(const grout_module *module);

#ifdef __cplusplus
}
#endif

#endif // GROUT_UNITTESTS_RUNTIME_CAPICLIENT_H
