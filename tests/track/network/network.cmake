knead_test(mlflow_server_test
  SOURCES tests/track/network/mlflow_server_test.cpp
  LIBRARIES track_network_checked httplib)
