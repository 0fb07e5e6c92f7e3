#include "runner/front/engine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "runner/files/digest.h"
#include "runner/front/check/check_model.h"
#include "runner/front/line/terminal.h"
#include "runner/front/verb.h"
#include "runner/launch/ranks.h"
#include "runner/launch/visible_gpus.h"
#include "runner/run/kept_recipe.h"
#include "runner/run/names.h"
#include "schema/document/count_words.h"
#include "schema/document/problem_text.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"
#include "schema/document/yaml_text.h"
#include "schema/render.h"

namespace knead::front {

namespace fs = std::filesystem;

const char* const kHowToInstallEngine = "install the package 'knead' in place of 'knead-lint'";

namespace {

constexpr std::string_view kTorchVersion = "2.11.0";

/// Returns the engine that pip installed for a program in PREFIX/bin: below PREFIX/lib/python3.N,
/// or beside `bin` if pip was called with --target. Empty if there is none.
fs::path installed_engine(const fs::path& prefix) {
  std::vector<fs::path> places{prefix};
  for (const char* const libraries : {"lib", "lib64"}) {
    std::error_code absent;
    for (const fs::directory_entry& entry : fs::directory_iterator(prefix / libraries, absent)) {
      if (!entry.path().filename().string().starts_with("python3")) continue;
      places.push_back(entry.path() / "site-packages");
      places.push_back(entry.path() / "dist-packages");
    }
  }
  // A folder is listed in any order: sorting makes the choice between two Pythons repeatable.
  std::sort(places.begin(), places.end());
  for (const fs::path& place : places)
    if (fs::exists(place / "knead/knead-engine")) return place / "knead/knead-engine";
  return {};
}

/// Returns whether pip installed an engine: it then lies in a folder knead, beside its libraries.
bool is_installed(const fs::path& engine) {
  const fs::path folder = engine.parent_path();
  return folder.filename() == "knead" && fs::is_directory(folder / "lib");
}

/// Returns the version of the PyTorch in a folder; empty if there is none.
std::string torch_version(const fs::path& torch) {
  std::ifstream file(torch / "version.py");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view name = "__version__ = '";
  const std::size_t start = text.find(name);
  if (start == std::string::npos || !fs::exists(torch / "lib/libtorch_cpu.so")) return "";
  const std::size_t value = start + name.size();
  return text.substr(value, text.find('\'', value) - value);
}

/// Finds LibTorch for an installed engine, which is linked to the torch folder beside its own. If
/// that is absent, as in a virtual environment that sees the packages of the system, KNEAD_TORCH
/// names another, which goes into LD_LIBRARY_PATH. Throws knead::Error if there is no PyTorch of
/// the right version.
void find_libtorch(const fs::path& engine) {
  fs::path torch = engine.parent_path().parent_path() / "torch";
  const char* const named = std::getenv("KNEAD_TORCH");
  if (named && *named && !fs::exists(torch)) {
    torch = named;
    const char* const before = std::getenv("LD_LIBRARY_PATH");
    const std::string libraries = (torch / "lib").string();
    setenv("LD_LIBRARY_PATH",
           before ? fmt::format("{}:{}", libraries, before).c_str() : libraries.c_str(), 1);
  }
  const std::string version = torch_version(torch);
  if (version.substr(0, version.find('+')) == kTorchVersion) return;
  throw Error(version.empty() ? fmt::format("there is no LibTorch in '{}'", torch.string())
                              : fmt::format("'{}' is PyTorch {}, and knead needs {}",
                                            torch.string(), version, kTorchVersion),
              fmt::format("'pip install torch=={}' there, or set KNEAD_TORCH to the torch folder "
                          "of an installed PyTorch {}",
                          kTorchVersion, kTorchVersion));
}

}  // namespace

fs::path engine_program() {
  if (const char* named = std::getenv("KNEAD_ENGINE"); named && *named) return named;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path beside = folder / "knead-engine";
  // Outside of a `bin` the program lies in a build folder, where a missing engine is named as
  // missing.
  if (folder.filename() != "bin" || fs::exists(beside)) return beside;
  return installed_engine(folder.parent_path());
}

namespace {

/// Bounds the time for which threads of OpenMP spin while they wait. The default is milliseconds:
/// on a machine with other work the threads then keep each other from the cores, and a small model
/// takes a hundred times as long. About 10 µs are as fast on an idle machine. Values that the user
/// has set stay.
void bound_spinning() {
  if (!std::getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
}

/// Makes malloc keep freed memory and use large pages, because each step allocates what the last
/// one freed, and the kernel would clear it again page by page: 2 to 3 % of a small GPT's step.
void keep_memory() {
  setenv("GLIBC_TUNABLES",
         "glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=4294967296:"
         "glibc.malloc.mmap_threshold=33554432",
         /*overwrite=*/0);
}

}  // namespace

fs::path ready_engine() {
  fs::path engine = engine_program();
  if (engine.empty())
    throw Error("this knead was installed without its engine: it checks recipes, it cannot train",
                kHowToInstallEngine);
  if (is_installed(engine)) find_libtorch(engine);
  bound_spinning();
  keep_memory();
  return engine;
}

namespace {

/// Prints the end of a run, or of an attempt, that the engine itself could not explain.
void tell_verdict(const launch::Verdict& verdict) {
  if (verdict.message.empty()) return;
  // A killed engine has not cleared its progress line.
  if (wants_colour(2)) std::fputs("\r\033[K", stderr);
  complain(verdict.message, verdict.remedy);
  for (const std::string& line : verdict.lines) tell(line + "\n");
}

}  // namespace

Exit run_engine(const std::vector<std::string>& words, const launch::HeldSignals& signals,
                const launch::Team& team) {
  const launch::Verdict verdict =
      launch::judge(launch::supervise({ready_engine(), words}, team, signals, tell_verdict));
  tell_verdict(verdict);
  return verdict.code;
}

NamedRecipe recipe_at(const std::string& file, const std::vector<std::string>& overrides) {
  if (!schema::is_folder(file)) return {file, overrides};
  const fs::path resolved = fs::path(file) / run::kResolvedFile;
  if (!schema::is_there(resolved))
    throw Error(fmt::format("'{}' is a folder, and not that of a run", file),
                "name a recipe, or a folder with a resolved.yaml", Exit::invalid_recipe);
  const fs::path folder = fs::canonical(file);
  NamedRecipe named{resolved.string(),
                    {"output=" + schema::text_as_yaml(folder.parent_path().string()),
                     "name=" + schema::text_as_yaml(folder.filename().string())}};
  named.overrides.insert(named.overrides.end(), overrides.begin(), overrides.end());
  return named;
}

EngineCall call_of_engine(const std::string& verb, const Arguments& arguments,
                          const std::vector<std::string>& options, bool warns,
                          const schema::World& world) {
  const auto [file, overrides] =
      recipe_at(only_file(*find_verb(verb), arguments), arguments.overrides);
  schema::Understood understood = schema::load(file, overrides, world);
  const auto warn = [warns](const std::vector<schema::Problem>& warnings) {
    if (warns) std::fputs(schema::to_text(warnings, wants_colour(2)).c_str(), stderr);
  };
  warn(understood.warnings);
  warn(require_model(understood, world));
  std::vector<std::string> words{verb, file,
                                 "--digest=" + files::digest(schema::render(understood.tree))};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.insert(words.end(), overrides.begin(), overrides.end());
  return {std::move(words), std::move(understood.recipe)};
}

namespace {

/// Throws knead::Error if the environment of a rank does not fit together, or not to the recipe.
void expect_fitting(const launch::RankEnvironment& rank, const recipe::Recipe& recipe) {
  const std::string start = launch::start_words(rank);
  if (rank.rank < 0 || rank.rank >= rank.ranks)
    throw Error(fmt::format("{}, and this one has the number {}", start, rank.rank),
                "ranks count from 0");
  if (rank.local_rank < 0 || rank.local_rank >= rank.local_ranks || rank.local_ranks > rank.ranks)
    throw Error(fmt::format("{}, {} of them on this machine, and this one has the number {} there",
                            start, rank.local_ranks, rank.local_rank),
                "LOCAL_RANK counts the LOCAL_WORLD_SIZE ranks of a machine from 0");
  if (rank.ranks > recipe.batch.size)
    throw Error(
        fmt::format("{}, and a batch has {}", start,
                    schema::count_words(static_cast<std::uint64_t>(recipe.batch.size), "sample")),
        "start fewer ranks, or set a larger batch.size", Exit::invalid_recipe);
  if (rank.rendezvous.empty())
    throw Error(fmt::format("{}, and nothing says where they meet", start),
                "set MASTER_ADDR to the machine of rank 0 as the others reach it, and MASTER_PORT "
                "to a free port of it, for all ranks");
}

}  // namespace

std::optional<launch::RankEnvironment> launched_rank() {
  auto rank = launch::find_rank_environment(schema::this_world().environment);
  if (rank && rank->ranks <= 1) rank.reset();
  return rank;
}

void become_engine(const launch::RankEnvironment& rank, const EngineCall& call,
                   const launch::HeldSignals& signals) {
  expect_fitting(rank, call.recipe);
  std::vector<std::string> words = launch::arguments_of_rank(call.words, rank);
  // The first start has moved an old run aside already.
  const auto options_end = std::find(words.begin(), words.end(), "--");
  if (rank.restarts > 0)
    words.erase(std::remove(words.begin(), options_end, "--fresh"), options_end);
  // No front is left to wait for the end of the run.
  if (rank.rank == 0 && !call.recipe.notify.empty())
    words.insert(std::find(words.begin(), words.end(), "--"), "--tells");
  launch::become_rank({ready_engine(), words}, signals);
}

plan::Machine machine_of_ranks() {
  const auto gpus = launch::visible_gpus(schema::this_world().environment);
  return {.has_cuda = !gpus.empty(),
          .home = fs::current_path(),
          .gpus = static_cast<std::int64_t>(gpus.size())};
}

Exit run_engine_on_ranks(const EngineCall& call, const launch::HeldSignals& signals) {
  if (const auto rank = launched_rank()) become_engine(*rank, call, signals);
  const plan::Machine machine = machine_of_ranks();
  plan::expect_gpus_for_ranks(call.recipe, machine);
  return run_engine(call.words, signals,
                    {.ranks = static_cast<int>(plan::number_of_ranks(call.recipe, machine))});
}

Exit run_engine_on_run(const std::string& verb, const Arguments& arguments,
                       const std::vector<std::string>& options) {
  if (arguments.files.size() != 1)
    throw Error("'" + verb + "' takes the folder of a run",
                "for example: " + find_verb(verb)->example, Exit::invalid_recipe);
  const launch::HeldSignals signals;
  std::vector<std::string> words{verb};
  words.insert(words.end(), options.begin(), options.end());
  // Behind "--" no folder or override is taken for an option.
  words.push_back("--");
  words.push_back(arguments.files[0]);
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  const fs::path resolved = fs::path(arguments.files[0]) / run::kResolvedFile;
  if (!schema::is_there(resolved))
    return run_engine(words, signals);  // which tells what is missing
  schema::Understood understood = schema::load(
      resolved.string(), run::without_secrets(arguments.overrides), schema::this_world());
  return run_engine_on_ranks({std::move(words), std::move(understood.recipe)}, signals);
}

}  // namespace knead::front
