# Links the libraries of the front as archives: `knead` is one file that runs where only libc is installed.

get_filename_component(libraries ${XXHASH} DIRECTORY)
find_library(XXHASH_ARCHIVE libxxhash.a HINTS ${libraries})
find_library(YAML_CPP_ARCHIVE libyaml-cpp.a HINTS ${libraries})
find_library(PROGRAM_OPTIONS_ARCHIVE libboost_program_options.a HINTS ${libraries})
if(XXHASH_ARCHIVE)
  set(XXHASH ${XXHASH_ARCHIVE})
endif()

# link_archive(TARGET FILE): an imported target stands for the file in every configuration. A file that was not found
# leaves the shared library in place, and the test of the packages says so.
function(link_archive target file)
  if(NOT file)
    return()
  endif()
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration ${configurations})
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${file})
  endforeach()
endfunction()
link_archive(yaml-cpp ${YAML_CPP_ARCHIVE})
link_archive(Boost::program_options ${PROGRAM_OPTIONS_ARCHIVE})

# Debian has no archive of fmt: the templates that its headers declare are compiled here.
if(fmt_VERSION VERSION_LESS 10)
  add_library(fmt_archive STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
  target_include_directories(fmt_archive PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(fmt_archive PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  link_archive(fmt::fmt ${CMAKE_BINARY_DIR}/libfmt_archive.a)
  add_dependencies(fmt::fmt fmt_archive)
endif()
