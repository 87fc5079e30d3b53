# One precompiled header of the parts of MLIR that most files include: reading
# them again in each took most of the time of a build.

set(GROUT_PRECOMPILED_HEADERS
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/ImplicitLocOpBuilder.h>
  <mlir/IR/Matchers.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/Pass.h>
  <llvm/ADT/MapVector.h>
  <llvm/ADT/TypeSwitch.h>
  <llvm/Support/FormatVariadic.h>)

# Files with and without exceptions can't share one.
foreach(owner GroutPrecompiledHeaders GroutPrecompiledHeadersExceptions)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${owner}.cpp" CONTENT "")
  add_library(${owner} OBJECT "${CMAKE_BINARY_DIR}/${owner}.cpp")
  grout_target_options(${owner})
  # Otherwise ccache takes every new header for another one.
  target_compile_options(${owner} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(${owner} PRIVATE ${GROUT_PRECOMPILED_HEADERS})
endforeach()
target_compile_options(GroutPrecompiledHeadersExceptions PRIVATE -fexceptions)
target_precompile_headers(GroutPrecompiledHeadersExceptions PRIVATE <isl/cpp.h>)
target_link_libraries(GroutPrecompiledHeadersExceptions PRIVATE Isl::Isl)

# grout_precompile_headers(target [EXCEPTIONS]): lets a target use them, and, with
# EXCEPTIONS, compiles it with exceptions.
function(grout_precompile_headers target)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "" ${ARGN})
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  # The headers are compiled with -fPIC; files with -fPIE can't use them.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  if(ARG_EXCEPTIONS)
    target_compile_options(${target} PRIVATE -fexceptions)
    target_precompile_headers(${target} REUSE_FROM GroutPrecompiledHeadersExceptions)
  else()
    target_precompile_headers(${target} REUSE_FROM GroutPrecompiledHeaders)
  endif()
endfunction()
