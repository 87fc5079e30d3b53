# Helpers for Grout's own targets.

option(GROUT_UNITY_BUILD
  "Compile the files of each target in groups: faster from scratch, slower after an edit" OFF)

# Warnings, sanitizers and groups of files for one of Grout's own targets.
function(grout_target_options target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GROUT_UNITY_BUILD}
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef DEBUG_TYPE")
  # libstdc++ 12 uses a function in std::stable_sort that it declares deprecated.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
    -Wno-deprecated-declarations)
  # GCC takes the files of a group for headers.
  if(GROUT_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
  if(GROUT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(GROUT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${GROUT_SANITIZE} -fno-omit-frame-pointer)
    # What a shared library uses of a sanitizer is in the executable.
    target_link_options(${target} PUBLIC -fsanitize=${GROUT_SANITIZE} "LINKER:-z,undefs")
  endif()
endfunction()

# A library of Grout: add_grout_library(GroutX a.cpp b.cpp [EXCEPTIONS] [DEPENDS t]
# [LINK_LIBS l]). It uses MLIR through the shared library, or, with
# GROUT_STATIC_LLVM, through its archives, and is installed and exported. EXCEPTIONS is for those that use isl's C++ bindings, which throw;
# no exception leaves the library.
function(add_grout_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  grout_target_options(${name})
  if(ARG_EXCEPTIONS)
    grout_precompile_headers(${name} EXCEPTIONS)
  else()
    grout_precompile_headers(${name})
  endif()
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  # isl comes before LLVM, which exports the copy of isl that Polly has.
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${GROUT_LLVM_LIBRARIES})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY GROUT_LIBS ${name})
  install(TARGETS ${name} EXPORT GroutTargets ARCHIVE DESTINATION lib)
endfunction()

# A command-line tool of Grout that uses MLIR.
function(add_grout_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  grout_target_options(${name})
  grout_precompile_headers(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()
