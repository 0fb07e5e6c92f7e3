knead_test(fetch_test
  SOURCES tests/data/web/fetch_test.cpp
  LIBRARIES data_sets_checked sha256 httplib ZLIB::ZLIB ${ZSTD})
