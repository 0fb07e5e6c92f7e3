#include "runner/front/engine.h"

#include <cstdio>
#include <cstdlib>

#include "runner/files/digest.h"
#include "runner/front/check/check_model.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "schema/document/problem_text.h"
#include "schema/load.h"
#include "schema/render.h"

namespace knead::front {

std::filesystem::path engine_program() {
  if (const char* named = std::getenv("KNEAD_ENGINE"); named && *named) return named;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "knead-engine";
}

namespace {

/// LibTorch's threads wait for one another by spinning, for milliseconds: on a machine with other
/// work they keep each other from the cores, and a small model takes a hundred times as long. Some
/// 10 µs are as fast where the machine is free. Whoever has set one of these knows better.
void bound_spinning() {
  if (!std::getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
}

/// A step frees what the next one takes again. Kept, and in large pages, that memory is not cleared
/// anew each time, page by page: 2 to 3 % of a small GPT's step.
void keep_memory() {
  setenv("GLIBC_TUNABLES",
         "glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=4294967296:"
         "glibc.malloc.mmap_threshold=33554432",
         /*overwrite=*/0);
}

}  // namespace

Exit run_engine(const std::vector<std::string>& words, const launch::HeldSignals& signals) {
  bound_spinning();
  keep_memory();
  const launch::Verdict verdict =
      launch::judge(launch::supervise({engine_program(), words}, signals));
  if (verdict.message.empty()) return verdict.code;
  // An engine that was killed leaves its progress line behind.
  if (wants_colour(2)) std::fputs("\r\033[K", stderr);
  complain(verdict.message, verdict.remedy);
  return verdict.code;
}

Exit run_engine_on_run(const std::string& verb, const Arguments& arguments,
                       const std::vector<std::string>& options) {
  if (arguments.files.size() != 1)
    throw Error("'" + verb + "' takes the folder of a run",
                "for example: " + find_verb(verb)->example, Exit::invalid_recipe);
  const launch::HeldSignals signals;
  std::vector<std::string> words{verb};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.push_back(arguments.files[0]);
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  return run_engine(words, signals);
}

std::vector<std::string> words_for_engine(const std::string& verb, const Arguments& arguments,
                                          const std::vector<std::string>& options) {
  const std::string file = only_file(*find_verb(verb), arguments);
  const schema::World world = schema::this_world();
  const schema::Understood understood = schema::load(file, arguments.overrides, world);
  std::fputs(schema::to_text(understood.warnings, wants_colour(2)).c_str(), stderr);
  std::fputs(schema::to_text(require_model(understood, world), wants_colour(2)).c_str(), stderr);
  std::vector<std::string> words{verb, file,
                                 "--digest=" + files::digest(schema::render(understood.tree))};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  return words;
}

}  // namespace knead::front
