knead_test(files_test
  SOURCES
    tests/files/budget_test.cpp tests/files/digest_test.cpp tests/files/disk.cpp tests/files/file_test.cpp tests/files/lock_test.cpp tests/files/machine_memory_test.cpp tests/files/mapped_file_test.cpp tests/files/own_bytes_test.cpp tests/files/open_file_test.cpp tests/files/page_memory_test.cpp
    tests/files/safetensors_test.cpp tests/files/scratch_memory_test.cpp tests/files/simulated_files.cpp
  LIBRARIES files_checked Threads::Threads)
