# Rooms: the folders of sources, each a static library. A room's own CMakeLists.txt says once what it is made of and
# which other rooms it needs. What it needs is linked, and is all that it may include: tests/house/layers_test.sh reads
# the list that is written to <build>/rooms.txt.

option(KNEAD_JOINED "Compile several sources of a room as one unit: all at once is 4 times faster, one alone slower" ON)

# What is free of LibTorch exists in variants: plain, and with the options of each variant named in KNEAD_VARIANTS.
# With g++ 12, -Og takes 30 % less time than -O2 for a unit, and 40 % less than -O1 for one with sanitizers.
set(KNEAD_VARIANTS plain)
set(KNEAD_OPTIONS_plain)
set(KNEAD_OPTIONS_checked
  -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Og -g1 -UNDEBUG)
set(KNEAD_OPTIONS_fuzz
  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -O1 -g1 -UNDEBUG)

# A unit takes about as long as its sources' own code and, once, the headers that they share: a room, which has 30
# sources at most, is one unit.
set(KNEAD_UNIT 40)

# The headers that most units begin with are compiled once for each set of options: half of the time of a unit that
# includes LibTorch is theirs. Compiled one by one (KNEAD_JOINED off), each file finds its headers by itself.
set(KNEAD_HEADERS <algorithm> <array> <charconv> <chrono> <cmath> <filesystem> <functional> <map> <memory> <optional>
  <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)
set(KNEAD_TORCH_HEADERS ${KNEAD_HEADERS} <ATen/core/Tensor.h> <ATen/core/ivalue.h>)

# Catch2 takes CHECK from LibTorch where it comes behind.
set(KNEAD_HEADERS_plain ${KNEAD_HEADERS})
set(KNEAD_HEADERS_checked ${KNEAD_HEADERS})
set(KNEAD_HEADERS_tests ${KNEAD_HEADERS} <catch2/catch.hpp>)
set(KNEAD_HEADERS_torch ${KNEAD_TORCH_HEADERS})
set(KNEAD_HEADERS_torch_tests ${KNEAD_TORCH_HEADERS} <catch2/catch.hpp>)
set(KNEAD_OPTIONS_tests ${KNEAD_OPTIONS_checked})
set(KNEAD_OPTIONS_torch_tests -Og)

# headers_first(TARGET SET): the units of the target begin with the headers of this set, and are compiled with its
# options.
function(headers_first target set)
  target_compile_options(${target} PRIVATE ${KNEAD_OPTIONS_${set}})
  if(NOT KNEAD_JOINED OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  set(libraries fmt::fmt nlohmann_json::nlohmann_json)  # each says how its headers are read
  if(set MATCHES torch)
    list(APPEND libraries torch)
  endif()
  if(NOT TARGET headers_${set})
    set(empty ${CMAKE_BINARY_DIR}/generated/headers_${set}.cpp)
    if(NOT EXISTS ${empty})  # to write it again would compile it again
      file(WRITE ${empty} "")
    endif()
    add_library(headers_${set} OBJECT ${empty})
    target_link_libraries(headers_${set} PRIVATE ${libraries})
    target_compile_options(headers_${set} PRIVATE ${KNEAD_OPTIONS_${set}})
    target_precompile_headers(headers_${set} PRIVATE ${KNEAD_HEADERS_${set}})
  endif()
  target_link_libraries(${target} PRIVATE ${libraries})
  target_precompile_headers(${target} REUSE_FROM headers_${set})
endfunction()

# room_target(OUT PATH VARIANT): the library of a room in a variant; "data/sets" is data_sets and data_sets_checked.
function(room_target out path variant)
  string(REPLACE / _ name ${path})
  if(NOT variant STREQUAL plain AND NOT path MATCHES ^engine)
    string(APPEND name _${variant})
  endif()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# knead_room(PATH [COLD] SOURCES file… [NEEDS room…] [LIBRARIES library…] [DEFINITIONS definition…])
# PATH is the folder's, without runner/. LIBRARIES are those of other people. COLD: the room has no loop that is worth
# the time that -O2 takes.
function(knead_room path)
  cmake_parse_arguments(PARSE_ARGV 1 room "COLD" "" "SOURCES;NEEDS;LIBRARIES;DEFINITIONS")
  list(JOIN room_NEEDS " " needs)
  set_property(GLOBAL APPEND PROPERTY knead_rooms "${path}: ${needs}")
  set(variants ${KNEAD_VARIANTS})
  if(path MATCHES ^engine)
    set(variants plain)
  endif()
  foreach(variant IN LISTS variants)
    room_target(target ${path} ${variant})
    add_library(${target} STATIC ${room_SOURCES})
    foreach(need IN LISTS room_NEEDS)
      room_target(needed ${need} ${variant})
      target_link_libraries(${target} PUBLIC ${needed})
    endforeach()
    target_link_libraries(${target} PUBLIC ${room_LIBRARIES})
    target_compile_definitions(${target} PRIVATE ${room_DEFINITIONS})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${KNEAD_JOINED} UNITY_BUILD_BATCH_SIZE ${KNEAD_UNIT})
    if(path MATCHES ^engine)
      target_link_libraries(${target} PUBLIC torch)
      set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch_jobs)
      headers_first(${target} torch)
    else()
      headers_first(${target} ${variant})
    endif()
    if(room_COLD AND variant STREQUAL plain)
      target_compile_options(${target} PRIVATE -Og)
    endif()
    if(KNEAD_JOINED AND variant STREQUAL plain)
      compile_alone(${target} SOURCES ${room_SOURCES} DEFINITIONS ${room_DEFINITIONS})
    endif()
  endforeach()
endfunction()

# compile_alone(ROOM SOURCES source… DEFINITIONS definition…): objects that only tests/house/alone_test.sh asks for, each of one
# source without the headers of others.
function(compile_alone room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEFINITIONS")
  add_library(${room}_alone OBJECT EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${room}_alone PRIVATE ${room})
  target_compile_definitions(${room}_alone PRIVATE ${arg_DEFINITIONS})
  target_compile_options(${room}_alone PRIVATE -O0)
  if(room MATCHES ^engine)
    set_target_properties(${room}_alone PROPERTIES JOB_POOL_COMPILE torch_jobs)
  endif()
endfunction()

# link_rooms(TARGET VARIANT room…): for programs.
function(link_rooms target variant)
  foreach(path IN LISTS ARGN)
    room_target(room ${path} ${variant})
    target_link_libraries(${target} PRIVATE ${room})
  endforeach()
endfunction()

# write_rooms(): one line "room: rooms that it needs" for each, for the test of layers.
function(write_rooms)
  get_property(rooms GLOBAL PROPERTY knead_rooms)
  list(JOIN rooms "\n" text)
  file(WRITE ${CMAKE_BINARY_DIR}/rooms.txt "${text}\n")
endfunction()
