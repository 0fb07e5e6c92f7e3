// replay MUTATIONS FILE-OR-FOLDER…: runs the fuzz target on every file, and on random mutations of
// them, where libFuzzer is not there. The seed is printed, and taken from KNEAD_SEED.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> read_inputs(int count, char** names) {
  std::vector<std::string> inputs;
  for (int i = 0; i < count; ++i) {
    if (!fs::is_directory(names[i])) {
      inputs.push_back(read_file(names[i]));
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(names[i])) {
      if (entry.is_regular_file()) inputs.push_back(read_file(entry.path()));
    }
  }
  return inputs;
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

/// One to four small changes: bytes cut, doubled, replaced by what makes YAML difficult, or taken
/// from another input.
std::string mutated(std::string text, const std::string& other, std::mt19937_64& random) {
  static const std::string kSpecial = "\n \t:-#[]{},&*!|>'\"%@`~$<0\x1e\xff";
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 16) + 1);
    switch (below(4)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, 1, kSpecial[below(kSpecial.size())]); break;
      default: text.insert(at, other.substr(below(other.size() + 1), below(40))); break;
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: replay MUTATIONS FILE-OR-FOLDER…\n", stderr);
    return 2;
  }
  const std::vector<std::string> inputs = read_inputs(argc - 2, argv + 2);
  const char* given = std::getenv("KNEAD_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  const long mutations = std::strtol(argv[1], nullptr, 10);
  std::printf("%zu inputs, %ld mutations, KNEAD_SEED=%llu\n", inputs.size(), mutations,
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  for (const std::string& input : inputs) run(input);
  std::mt19937_64 random(seed);
  for (long i = 0; i < mutations; ++i) {
    const std::string& other = inputs[random() % inputs.size()];
    const std::string input = mutated(inputs[random() % inputs.size()], other, random);
    // What a crash needs to be looked at again.
    std::ofstream("replay-last-input", std::ios::binary) << input;
    run(input);
  }
  std::filesystem::remove("replay-last-input");
  return 0;
}
