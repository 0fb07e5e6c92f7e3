#include "runner/files/budget.h"

#include <fmt/format.h>

#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::files {
namespace {

constexpr const char* kFromElsewhere =
    "no program that knead knows writes such a file: fetch it again, or ask who made it";

}  // namespace

Budget::Budget(std::string name, Limits limits)
    : name_(std::move(name)),
      limits_(limits),
      memory_left_(limits.memory),
      work_left_(limits.work) {}

void Budget::refuse_memory() const {
  throw Error(fmt::format("{}: what it describes takes more than {} of memory to read", name_,
                          schema::byte_words(static_cast<double>(limits_.memory))),
              kFromElsewhere);
}

void Budget::refuse_work() const {
  throw Error(fmt::format("{}: it takes more than {} million steps to read, whatever its size",
                          name_, limits_.work / 1'000'000),
              kFromElsewhere);
}

void Budget::refuse_depth() const {
  throw Error(fmt::format("{}: its values lie more than {} levels deep in each other", name_,
                          limits_.depth),
              kFromElsewhere);
}

}  // namespace knead::files
