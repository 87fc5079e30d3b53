# Finds isl, the integer set library.
#
# Defines the target Isl::Isl.

find_path(Isl_INCLUDE_DIR isl/cpp.h)
find_library(Isl_LIBRARY isl)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Isl REQUIRED_VARS Isl_LIBRARY Isl_INCLUDE_DIR)
if(Isl_FOUND AND NOT TARGET Isl::Isl)
  add_library(Isl::Isl UNKNOWN IMPORTED)
  set_target_properties(Isl::Isl PROPERTIES
    IMPORTED_LOCATION "${Isl_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Isl_INCLUDE_DIR}")
endif()
mark_as_advanced(Isl_INCLUDE_DIR Isl_LIBRARY)
