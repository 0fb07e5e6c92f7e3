// save_archives MODELS FOLDER: for each MODELS/name.py that works, FOLDER/name.pt, in evaluation
// mode, with its weights at seed 1. With the corpus of tests/models.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <ATen/CPUGeneratorImpl.h>

#include "runner/engine/device/start.h"
#include "runner/engine/model/compile/compile.h"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  using namespace knead::engine;
  start_torch({});
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::ifstream source(entry.path());
    std::string line;
    std::getline(source, line);
    if (line != "# works") continue;
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(1);
    model::Request request;
    request.source = entry.path();
    request.class_name = "Model";
    const auto made = model::build_source(request);
    made->train(false);
    std::ofstream out(arguments[2] / entry.path().stem().concat(".pt"), std::ios::binary);
    made->save(out);
    std::cout << entry.path().stem().string() << "\n";
  }
}
