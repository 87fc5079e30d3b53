//===- TileABI.h - Between CPU tile bodies and the runtime --------*- C -*-===//
//
// Part of Grout. The C side of docs/KernelABI.md: compiled tile bodies receive
// a context from the runtime, and call the runtime to wait and to post.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_C_TILEABI_H
#define GROUT_C_TILEABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The context that a tile body receives. Its layout is part of the artifact
/// version.
typedef struct grout_tile_context {
  /// The address of each argument of the launch, in order.
  void *const *buffers;
  /// Returns once `semaphore` has been posted `count` times in this launch. The
  /// caller then sees everything that was written before those posts.
  void (*wait)(const struct grout_tile_context *context, uint32_t semaphore,
               uint32_t count);
  /// Adds 1 to `semaphore`, after all writes of the caller.
  void (*post)(const struct grout_tile_context *context, uint32_t semaphore);
  /// Gives `bytes` bytes at `data` to all ranks that run the plan. Returns when
  /// all ranks have called this function in this run of the launch. The result
  /// has the address of what each rank gave, in the order of the ranks. The
  /// data stay there until the next run of the launch. Only a launch with an
  /// exchange may call this function, and one tile of it, once.
  void *const *(*exchange)(const struct grout_tile_context *context,
                           const void *data, uint64_t bytes);
  /// The rank that runs the plan; 0 if the plan is for one rank.
  uint32_t rank;
} grout_tile_context;

/// Runs the tile at (x, y, z) of a tile kernel's grid.
typedef void (*grout_tile_body)(const grout_tile_context *context, uint32_t x,
                                uint32_t y, uint32_t z);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_TILEABI_H
