//===- FuzzNpy.cpp - Any bytes as an array of NumPy -----------------------===//
//
// Part of Grout. Bytes are read as a file with an array that is expected, and
// as the header of any array.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

using namespace grout;
using namespace grout::run;

static void readFile(const uint8_t *data, size_t size) {
  int file = memfd_create("npy", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size))
    abort();
  HostTensor tensor;
  if (tensor.allocate("t", {GROUT_F32, {2, 3}}).isError())
    abort();
  (void)readNpy("/proc/self/fd/" + std::to_string(file), BFloatFiles::Void2,
                tensor)
      .isError();
  close(file);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  NpyHeader header;
  (void)parseNpyHeader({data, data + size}, header).isError();
  readFile(data, size);
  return 0;
}

/// Most inputs begin as such files do.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const char kValid[] = "\x93NUMPY\x01\x00\x3a\x00{'descr': '<f4', "
                               "'fortran_order': False, 'shape': (2, 3)}\n"
                               "aaaabbbbccccddddeeeeffff";
  constexpr size_t kSize = sizeof(kValid) - 1;
  constexpr unsigned kOneIn = 64;
  if (kSize <= maxSize && (size < 8 || seed % kOneIn == 0)) {
    std::copy_n(kValid, kSize, data);
    size = kSize;
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
