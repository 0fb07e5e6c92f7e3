#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/utsname.h>

#include <fmt/format.h>

#include "runner/files/machine_memory.h"
#include "runner/front/engine.h"
#include "runner/front/line/terminal.h"
#include "runner/front/verb.h"
#include "runner/launch/held_signals.h"
#include "schema/document/byte_words.h"

namespace knead::front {
namespace {

/// Returns the value of the first line "NAME: value" or "NAME=value" in a file; empty if there is
/// none.
std::string value_in(const char* file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    std::string value = line.substr(line.find_first_of(":=") + 1);
    std::erase(value, '"');
    return value.substr(std::min(value.find_first_not_of(" \t"), value.size()));
  }
  return "";
}

std::string line(std::string_view name, const std::string& value) {
  return fmt::format("{:<10} {}\n", name, value.empty() ? "unknown" : value);
}

std::string kernel() {
  utsname names{};
  uname(&names);
  return fmt::format("{} {} ({})", names.sysname, names.release, names.machine);
}

std::string memory() { return schema::byte_words(static_cast<double>(files::machine_memory())); }

std::string disk_here() {
  std::error_code failure;
  const auto space = std::filesystem::space(".", failure);
  return failure
             ? ""
             : schema::byte_words(static_cast<double>(space.available)) + " free in this folder";
}

}  // namespace

Exit env(const Arguments& arguments) {
  if (!arguments.files.empty() || !arguments.overrides.empty())
    throw Error("'env' takes no arguments", "", Exit::invalid_recipe);
  std::string out = line("knead", KNEAD_VERSION ", compiled by " KNEAD_COMPILER);
  out += line("system", value_in("/etc/os-release", "PRETTY_NAME") + ", " + kernel());
  out += line("processor", fmt::format("{}, {} threads", value_in("/proc/cpuinfo", "model name"),
                                       std::thread::hardware_concurrency()));
  out += line("memory", memory());
  out += line("disk", disk_here());
  const std::filesystem::path engine = engine_program();
  if (engine.empty()) {
    print_lines(out + line("engine", fmt::format("not installed; {}", kHowToInstallEngine)));
    return Exit::done;
  }
  if (!std::filesystem::exists(engine)) {
    print_lines(out + line("engine", fmt::format("not built (no {}); 'tools/build' builds it",
                                                 engine.string())));
    return Exit::done;
  }
  // Printed before the engine starts: the report then shows it even if the engine fails at once.
  print_lines(out + line("engine", engine.string()));
  const launch::HeldSignals signals;
  return run_engine({"env"}, signals);
}

}  // namespace knead::front
