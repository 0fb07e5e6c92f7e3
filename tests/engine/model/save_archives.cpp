// save_archives MODELS FOLDER: for each MODELS/name.py that works, FOLDER/name.pt, in evaluation
// mode, with its weights at seed 1. With the corpus of tests/models. Prints the names.
//
// A file that begins with "# tried" may be refused: the output is the name, a tab and the message.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <ATen/CPUGeneratorImpl.h>

#include "runner/engine/device/start.h"
#include "runner/engine/model/source/build_source.h"
#include "runner/syntax/refusal.h"

namespace {

/// Makes the model of a file with its weights at seed 1 and writes its archive.
void save(const std::filesystem::path& source, const std::filesystem::path& archive) {
  using namespace knead::engine;
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(1);
  model::Request request;
  request.source = source;
  request.class_name = "Model";
  const auto made = model::compile_source(request);
  made->train(false);
  std::ofstream out(archive, std::ios::binary);
  made->save(out);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  knead::engine::start_torch({});
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::ifstream source(entry.path());
    std::string line;
    std::getline(source, line);
    const bool is_tried = line == "# tried";
    if (line != "# works" && !is_tried) continue;
    // An archive cannot hold a torch.autograd.Function: compile_test.cpp has the refusal.
    if (entry.path().stem() == "autograd_functions") continue;
    std::cout << entry.path().stem().string();
    try {
      save(entry.path(), arguments[2] / entry.path().stem().concat(".pt"));
    } catch (const knead::syntax::Refusal& refusal) {
      if (!is_tried) throw;
      std::cout << "\t" << refusal.what();
    }
    std::cout << std::endl;
  }
}
