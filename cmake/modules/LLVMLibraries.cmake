# What Grout's libraries link of MLIR and LLVM, in GROUT_LLVM_LIBRARIES: the two
# shared libraries; or, with GROUT_STATIC_LLVM, the archives, of which the linker
# takes what is used.

if(NOT GROUT_STATIC_LLVM)
  set(GROUT_LLVM_LIBRARIES MLIR LLVM)
  return()
endif()

file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
if(NOT archives)
  message(FATAL_ERROR "GROUT_STATIC_LLVM needs the archives of MLIR and LLVM in ${LLVM_LIBRARY_DIR}")
endif()
# What LLVM was built with.
foreach(name z zstd xml2)
  find_library(GROUT_${name}_LIBRARY NAMES lib${name}.a ${name} REQUIRED)
  list(APPEND archives "${GROUT_${name}_LIBRARY}")
endforeach()
add_library(grout_static_llvm INTERFACE)
target_link_libraries(grout_static_llvm INTERFACE
  "-Wl,--start-group" ${archives} "-Wl,--end-group" ${CMAKE_DL_LIBS} m pthread)
install(TARGETS grout_static_llvm EXPORT GroutTargets)
set(GROUT_LLVM_LIBRARIES grout_static_llvm)
