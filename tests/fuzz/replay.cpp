// replay MUTATIONS FILE-OR-FOLDER…: runs the fuzz target on every file, and on random mutations of
// them, where libFuzzer is not there: so many, or with "60s" for as long. The seed is printed, and
// taken from KNEAD_SEED.

#include <algorithm>
#include <chrono>
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

/// Returns the files' contents in the order of their paths, so that a seed means the same mutations
/// on each machine.
std::vector<std::string> read_inputs(int count, char** names) {
  std::vector<std::string> inputs;
  for (int i = 0; i < count; ++i) {
    std::vector<fs::path> files{names[i]};
    if (fs::is_directory(names[i])) {
      files.clear();
      for (const auto& entry : fs::recursive_directory_iterator(names[i])) {
        if (entry.is_regular_file()) files.push_back(entry.path());
      }
      std::sort(files.begin(), files.end());
    }
    for (const fs::path& file : files) inputs.push_back(read_file(file));
  }
  return inputs;
}

void run_input(const std::string& input) {
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

/// "3000", or "60s" from now on.
class Limit {
 public:
  explicit Limit(const std::string& text)
      : number_(std::strtol(text.c_str(), nullptr, 10)), is_time_(text.ends_with('s')) {}

  bool allows(long done) const {
    if (!is_time_) return done < number_;
    return std::chrono::steady_clock::now() - begin_ < std::chrono::seconds(number_);
  }

 private:
  long number_;
  bool is_time_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: replay MUTATIONS|SECONDSs FILE-OR-FOLDER…\n", stderr);
    return 2;
  }
  const std::vector<std::string> inputs = read_inputs(argc - 2, argv + 2);
  const char* given = std::getenv("KNEAD_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  const Limit limit(argv[1]);
  std::printf("%zu inputs, %s mutations, KNEAD_SEED=%llu\n", inputs.size(), argv[1],
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  for (const std::string& input : inputs) run_input(input);
  std::mt19937_64 random(seed);
  long done = 0;
  for (; limit.allows(done); ++done) {
    const std::string& other = inputs[random() % inputs.size()];
    const std::string input = mutated(inputs[random() % inputs.size()], other, random);
    // What a crash needs to be looked at again.
    std::ofstream("replay-last-input", std::ios::binary) << input;
    run_input(input);
  }
  std::printf("%ld mutations\n", done);
  std::filesystem::remove("replay-last-input");
  return 0;
}
