#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "runner/files/budget.h"

namespace knead::files {

/// Is told how a JSON text is built up while it is parsed, for readers that refuse more than JSON
/// does. `depth` counts the lists and blocks around a place, from 0. Exceptions end the parsing.
class JsonWatch {
 public:
  virtual ~JsonWatch() = default;
  virtual void begin_block(std::size_t depth) = 0;
  virtual void begin_list(std::size_t depth) = 0;
  virtual void key(std::size_t depth, const std::string& key) = 0;
  virtual void end_block() = 0;
};

/// Parses JSON that a stranger may have written: counts the memory of each value, and how deep
/// values lie in each other, before it makes them. Takes time in proportion to the text. Throws
/// nlohmann::json::parse_error if the text is not JSON, and knead::Error, with the name of the
/// budget, if it is beyond the budget. `watch` may be null.
nlohmann::json parse_bounded_json(std::string_view text, Budget& budget,
                                  JsonWatch* watch = nullptr);

}  // namespace knead::files
