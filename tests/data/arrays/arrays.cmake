knead_test(arrays_test
  SOURCES
    tests/data/arrays/idx_test.cpp tests/data/arrays/npy_test.cpp tests/data/arrays/zip_test.cpp
  LIBRARIES data_checked ZLIB::ZLIB)
