knead_test(rendezvous_test
  SOURCES
    tests/rendezvous/host_test.cpp tests/rendezvous/introduction_test.cpp tests/rendezvous/message_test.cpp
    tests/rendezvous/socket_test.cpp
  LIBRARIES rendezvous_checked)
