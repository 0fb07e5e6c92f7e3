knead_test(exchange_test
  SOURCES tests/web/exchange_test.cpp
  LIBRARIES web_checked httplib)
