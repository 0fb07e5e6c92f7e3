// Reads safetensors files and writes them again: safetensors_copy IN OUT [IN OUT]…
// Prints a line for each: "ok", or why it is refused.

#include <iostream>

#include "runner/files/posix_files.h"
#include "runner/files/safetensors.h"

int main(int count, char** words) {
  using namespace knead;
  files::PosixFiles disk;
  for (int i = 1; i + 1 < count; i += 2) {
    try {
      files::InputFile in(disk, words[i]);
      const files::Safetensors read = files::read_safetensors(in, words[i]);
      files::publish(disk, words[i + 1], files::safetensors(read.tensors, read.metadata));
      std::cout << "ok\n";
    } catch (const Error& error) {
      std::cout << error.what() << "\n";
    }
  }
}
