# What is installed, as two components: `front` (the program knead, completions, the JSON Schema, licences) and `engine`.
# tools/package makes wheels of them, CPack a .deb of the front.

# A machine that has libc may have no libstdc++ of this age. What is unused is left out, or the program asks for the libc of
# all that libstdc++ can do; mold leaves the code out but still asks for what it calls.
target_link_options(knead PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections -fuse-ld=bfd)
# CMake takes the archive of fmt for a shared library, and names the build folder where that is searched.
set_target_properties(knead PROPERTIES SKIP_BUILD_RPATH ON)

set(texts ${CMAKE_BINARY_DIR}/package)
file(MAKE_DIRECTORY ${texts})
# package_text(FILE FOLDER WORDS…): what `knead WORDS…` prints is installed as share/FOLDER/FILE. A completion script names
# the program that printed it by its path; an installed one asks the `knead` of the PATH.
function(package_text file folder)
  add_custom_command(
    OUTPUT ${texts}/${file}
    COMMAND knead ${ARGN} > ${file}
    COMMAND sed -i -E "s:('[^']*/knead'|[^' (]*/knead) completion words:knead completion words:" ${file}
    WORKING_DIRECTORY ${texts}
    DEPENDS knead VERBATIM)
  set_property(GLOBAL APPEND PROPERTY package_texts ${texts}/${file})
  install(FILES ${texts}/${file} DESTINATION share/${folder} COMPONENT front)
endfunction()
package_text(knead bash-completion/completions completion bash)
package_text(_knead zsh/vendor-completions completion zsh)
package_text(knead.fish fish/vendor_completions.d completion fish)
package_text(recipe.schema.json knead schema)
get_property(package_texts GLOBAL PROPERTY package_texts)
add_custom_target(package_texts DEPENDS ${package_texts})

# The terms of the libraries that are linked in or carried along, as Debian's packages say them.
# package_licences(COMPONENT PACKAGE…)
function(package_licences component)
  foreach(package ${ARGN})
    install(FILES /usr/share/doc/${package}/copyright DESTINATION share/doc/knead/licences
      RENAME ${package} COMPONENT ${component} OPTIONAL)
  endforeach()
endfunction()
package_licences(front libboost-program-options-dev libfmt-dev libxxhash-dev libyaml-cpp-dev nlohmann-json3-dev)

install(TARGETS knead RUNTIME DESTINATION bin COMPONENT front)

if(TARGET knead-engine)
  # The wheel is unpacked beside that of torch: knead/knead-engine, knead/lib/, torch/lib/.
  set_target_properties(knead-engine PROPERTIES
    INSTALL_RPATH "$ORIGIN/lib:$ORIGIN/../torch/lib" BUILD_RPATH_USE_ORIGIN ON)
  install(TARGETS knead-engine
    RUNTIME_DEPENDENCIES
      DIRECTORIES ${KNEAD_TORCH}/lib
      PRE_EXCLUDE_REGEXES "^lib(torch|c10|gomp)" "^lib(c|m|dl|rt|pthread|util|stdc\\+\\+|gcc_s)\\.so" "^ld-linux"
    RUNTIME DESTINATION knead COMPONENT engine
    LIBRARY DESTINATION knead/lib COMPONENT engine)
  if(TARGET knead_nccl)
    install(TARGETS knead_nccl LIBRARY DESTINATION knead COMPONENT engine)
  endif()
  package_licences(engine libpcre2-8-0 libpng16-16 libsimdjson14 libspdlog-dev libssl3
    libturbojpeg0 libutf8proc2 libzstd1 zlib1g)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME knead-lint)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "checks recipes that train models: the front of knead, without its engine")
set(CPACK_PACKAGE_CONTACT "the knead maintainers <noreply@knead.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL front)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FRONT_PACKAGE_NAME knead-lint)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
