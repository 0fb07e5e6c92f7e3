// Builds and runs models of source that is broken at random, and says which one ends the process,
// hangs or throws what no person can act on: model_fuzz FOLDER… EXECUTIONS [FIRST], where FIRST
// chooses the random numbers. 0 executions build each file of the folders as it is. LibTorch has no
// build for libFuzzer, so this program changes the files by itself: lines, tokens and numbers, of
// one file or of two. What it found is kept in tests/fuzz/models and replayed by a test.

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ATen/ops/ones.h>
#include <fmt/format.h>

#include "runner/engine/device/start.h"
#include "runner/engine/model/source/build_source.h"
#include "runner/syntax/refusal.h"
#include "schema/document/error.h"
#include "schema/document/problem.h"

namespace fs = std::filesystem;
namespace model = knead::engine::model;

namespace {

using Random = std::mt19937_64;

constexpr int kOfOneProcess = 400;  // classes are never freed, so a process takes a few files only
constexpr unsigned kSeconds = 60;

/// Parts that take source to the edges of what the language allows.
const std::vector<std::string> kParts = {"0",
                                         "-1",
                                         "2**62",
                                         "10**9",
                                         "1e308",
                                         "None",
                                         "True",
                                         "''",
                                         "'a' * 1000",
                                         "[]",
                                         "()",
                                         "{}",
                                         "self",
                                         "x",
                                         "nn.Identity()",
                                         "nn.Linear(2, 2)",
                                         "torch.zeros(0)",
                                         "torch.zeros(1).expand(10**6)",
                                         "set()",
                                         "list",
                                         "range(5)",
                                         "iter([1])",
                                         "lambda: 0",
                                         "super()",
                                         "[self]",
                                         "{1: self}",
                                         "slice(None)",
                                         "...",
                                         "torch",
                                         "Exception('a')",
                                         "np.zeros(3)",
                                         "functools.partial(len, [])",
                                         "itertools.count()",
                                         "type(self)"};

const std::vector<std::string> kLines = {"self.__class__ = list",
                                         "self.a = self",
                                         "x = [x]",
                                         "x = (x, x)",
                                         "return self",
                                         "return x",
                                         "del self.fc",
                                         "while True:\n    x = x",
                                         "for i in x:\n    x = i",
                                         "raise ValueError(x)",
                                         "x.__dict__['a'] = x",
                                         "x == x",
                                         "setattr(self, '@of', 1)",
                                         "global x",
                                         "x += x",
                                         "x.sort(key=lambda i: x)",
                                         "x.append(x)",
                                         "yield x",
                                         "self.fc.weight = None",
                                         "self.register_buffer('b', x)",
                                         "x[x] = x",
                                         "copy.deepcopy(x)",
                                         "try:\n    x()\nexcept Exception as e:\n    raise e"};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t below(Random& random, std::size_t limit) { return limit ? random() % limit : 0; }

template <class Items>
const auto& any_of(Random& random, const Items& items) {
  return items[below(random, items.size())];
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns the places of words, numbers and signs in a line.
std::vector<std::pair<std::size_t, std::size_t>> tokens_of(const std::string& line) {
  std::vector<std::pair<std::size_t, std::size_t>> tokens;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    while (is_word(line[at]) && end < line.size() && is_word(line[end])) ++end;
    if (line[at] != ' ') tokens.emplace_back(at, end - at);
    at = end;
  }
  return tokens;
}

std::string indented(const std::string& part, const std::string& like) {
  const std::string indent(std::min(like.find_first_not_of(' '), like.size()), ' ');
  std::string all;
  for (const std::string& line : lines_of(part)) all += (all.empty() ? "" : "\n") + indent + line;
  return all;
}

void change(Random& random, std::vector<std::string>& lines,
            const std::vector<std::string>& other) {
  if (lines.empty()) lines = other;
  const std::size_t at = below(random, lines.size());
  std::string& line = lines[at];
  const auto tokens = tokens_of(line);
  switch (random() % 8) {
    case 0: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), line); return;
    case 1: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); return;
    case 2: std::swap(line, lines[below(random, lines.size())]); return;
    case 3: {
      const std::string inserted = indented(any_of(random, kLines), line);
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), inserted);
      return;
    }
    case 4: {
      if (other.empty()) return;
      const std::string& from = any_of(random, other);
      const std::string moved = from.substr(std::min(from.find_first_not_of(' '), from.size()));
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), indented(moved, line));
      return;
    }
    case 5:
    case 6: {
      if (tokens.empty()) return;
      const auto [begin, size] = any_of(random, tokens);
      line.replace(begin, size, any_of(random, kParts));
      return;
    }
    default: {
      if (tokens.empty() || other.empty()) return;
      const auto [begin, size] = any_of(random, tokens);
      const std::string& from = any_of(random, other);
      const auto parts = tokens_of(from);
      if (parts.empty()) return;
      const auto [place, length] = any_of(random, parts);
      line.replace(begin, size, from.substr(place, length));
      return;
    }
  }
}

std::string changed(Random& random, const std::vector<std::string>& seeds) {
  std::vector<std::string> lines = lines_of(any_of(random, seeds));
  const std::vector<std::string> other = lines_of(any_of(random, seeds));
  for (std::size_t i = 0; i < 1 + below(random, 6); ++i) change(random, lines, other);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Returns the name of the last class below nn.Module; empty if there is none.
std::string class_in(const std::string& text) {
  const std::size_t base = text.rfind("nn.Module)");
  const std::size_t begin = base == text.npos ? base : text.rfind("class ", base);
  if (begin == text.npos) return "";
  const std::size_t end = text.find_first_of("(: \n", begin + 6);
  return end == text.npos ? "" : text.substr(begin + 6, end - begin - 6);
}

/// Builds a model and runs it once. Refusals are right; any other exception is not.
void build(const fs::path& path) {
  try {
    model::Request request;
    request.source = path;
    request.class_name = class_in(text_of(path));
    const auto made = model::build_source(request);
    const std::size_t inputs = made->inputs().size();
    made->forward(std::vector<c10::IValue>(inputs, at::ones({4, 2})));
  } catch (const knead::syntax::Refusal&) {
  } catch (const knead::schema::InvalidRecipe&) {
  } catch (const knead::Error&) {
  }
}

/// Runs `count` changed files in a process of its own. Returns how many ran, and whether all went
/// well; the file `path` holds the last one.
std::pair<int, std::string> run(const fs::path& path, const std::vector<std::string>& seeds,
                                std::uint64_t first, int count) {
  auto* const done = static_cast<int*>(
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *done = 0;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit memory{std::uint64_t{6} << 30, std::uint64_t{6} << 30};
    setrlimit(RLIMIT_AS, &memory);
    std::freopen("/dev/null", "w", stdout);
    std::freopen("/dev/null", "w", stderr);
    for (int i = 0; i < count; ++i) {
      if (count > 1 || first) {
        Random random(first + static_cast<std::uint64_t>(i));
        std::ofstream(path) << changed(random, seeds);
      }
      alarm(kSeconds);
      try {
        build(path);
      } catch (const std::exception&) {
        _exit(3);
      }
      ++*done;
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int ran = *done;
  munmap(done, sizeof(int));
  if (WIFSIGNALED(status)) return {ran, fmt::format("signal {}", WTERMSIG(status))};
  return {ran, WEXITSTATUS(status) ? "an exception that is no refusal" : ""};
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> given(words + 1, words + count);
  std::vector<fs::path> files;
  while (!given.empty() && fs::is_directory(given.front())) {
    for (const auto& entry : fs::recursive_directory_iterator(given.front())) {
      if (entry.path().extension() == ".py") files.push_back(entry.path());
    }
    given.erase(given.begin());
  }
  if (files.empty() || given.empty()) return 2;
  std::sort(files.begin(), files.end());
  knead::engine::start_torch({});
  int found = 0;
  const long wanted = std::atol(given[0].c_str());
  if (wanted == 0) {
    for (const fs::path& file : files) {
      const auto [ran, fault] = run(file, {}, 0, 1);
      if (fault.empty()) continue;
      ++found;
      std::cout << file.string() << ": " << fault << "\n";
    }
    std::cout << fmt::format("{} files, {} faults\n", files.size(), found);
    return found ? 1 : 0;
  }
  std::vector<std::string> seeds;
  for (const fs::path& file : files) seeds.push_back(text_of(file));
  const fs::path folder = fs::temp_directory_path() / fmt::format("model_fuzz_{}", getpid());
  fs::create_directories(folder);
  const fs::path path = folder / "net.py";
  auto first = static_cast<std::uint64_t>(given.size() > 1 ? std::atoll(given[1].c_str()) : 1);
  for (long ran = 0; ran < wanted;) {
    const auto [now, fault] = run(path, seeds, first, kOfOneProcess);
    ran += now + (fault.empty() ? 0 : 1);
    first += static_cast<std::uint64_t>(now) + 1;
    if (fault.empty()) continue;
    const std::string kept = fmt::format("model-{}.py", first - 1);
    fs::copy_file(path, kept, fs::copy_options::overwrite_existing);
    std::cout << kept << ": " << fault << std::endl;
    ++found;
  }
  fs::remove_all(folder);
  std::cout << fmt::format("{} executions, {} faults\n", wanted, found);
  return found ? 1 : 0;
}
