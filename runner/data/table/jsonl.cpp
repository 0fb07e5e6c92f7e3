#include "runner/data/table/jsonl.h"

#include <simdjson.h>

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "runner/data/source/json_path.h"
#include "runner/data/source/nesting.h"
#include "runner/data/source/packed_format.h"
#include "runner/data/table/categories.h"
#include "runner/data/table/cell.h"
#include "runner/data/table/table_values.h"
#include "runner/files/mapped_file.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

using simdjson::dom::element;

// simdjson takes 14 times the bytes of a line.
constexpr std::size_t kLongestLine = 32 << 20;

/// Describes the place of a value for messages.
struct Place {
  std::string_view file;
  std::uint64_t line = 0;
  std::string_view field;
};

[[noreturn]] void refuse(const Place& place, const std::string& what) {
  throw Error(fmt::format("{}:{}: {}", place.file, place.line, what),
              place.field.empty() ? "each line is one JSON object"
                                  : fmt::format("field '{}' reads it", place.field));
}

[[noreturn]] void refuse_twice(const Place& place, const std::string& key) {
  throw Error(fmt::format("{}:{}: an object has the key '{}' twice", place.file, place.line, key),
              "keep one of them");
}

/// Returns the path of the value of a field in an object: the key of the recipe, else the name of
/// the field.
const std::string& path_of(const std::string& name, const recipe::JsonlField& field) {
  if (field.key) return *field.key;
  return name;
}

std::optional<double> number_of(element value) {
  double number = 0;
  return value.get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

/// Reads one field of all objects into memory.
class JsonReader {
 public:
  JsonReader(const std::string& name, const recipe::JsonlField& field)
      : path_(path_of(name, field)) {
    field_.name = name;
    field_.dtype = dtype_of(field);
    if (field.categories) categories_.emplace(*field.categories);
    has_written_shape_ = is_shape_known_ = field.shape.has_value();
    if (field.shape) field_.shape = *field.shape;
  }

  void read(const JsonMembers& object, Place place) {
    place.field = field_.name;
    const element value = find(object, place);
    if (!is_shape_known_) field_.shape = json_shape(value);
    is_shape_known_ = true;
    const std::size_t before = values_.size();
    nesting_.clear();
    add(value, place, 0);
    if (values_.size() - before != field_.bytes_per_sample()) {
      refuse(place, fmt::format("'{}' has {} numbers, and not {}", path_.text(),
                                (values_.size() - before) / bytes_of(field_.dtype),
                                field_.bytes_per_sample() / bytes_of(field_.dtype)));
    }
    expect_nesting(place);
  }

  Table::Column take() { return {std::move(field_), std::move(values_)}; }

 private:
  element find(const JsonMembers& object, const Place& place) {
    const auto refuse_key = [&](const std::string& key) { refuse_twice(place, key); };
    if (const auto found = path_.find(object, place_in_object_, refuse_key)) return *found;
    refuse(place, fmt::format("there is no '{}'", path_.text()));
  }

  /// Throws knead::Error if the last value is ragged, or is nested otherwise than the first one,
  /// which gave the shape. A shape of the recipe takes the numbers in their order.
  void expect_nesting(const Place& place) const {
    const auto refuse_nesting = [&](const std::string& what, const char* remedy) {
      throw Error(fmt::format("{}:{}: '{}' is {}, and not ({})", place.file, place.line,
                              path_.text(), what, fmt::join(field_.shape, ", ")),
                  remedy);
    };
    if (nesting_.is_ragged())
      refuse_nesting("a ragged list", "lists of one depth have the same length");
    if (!has_written_shape_ && nesting_.shape() != field_.shape) {
      refuse_nesting(fmt::format("({})", fmt::join(nesting_.shape(), ", ")),
                     "write all samples alike, or give the field a shape");
    }
  }

  /// Appends the numbers of a value inside of `depth` lists.
  void add(element value, const Place& place, std::size_t depth) {
    simdjson::dom::array array;
    if (value.get(array) == simdjson::SUCCESS) return add_list(array, place, depth);
    nesting_.add_value(depth);
    if (categories_) {
      add_word(value, place);
    } else if (!add_number(value)) {
      const std::string text = simdjson::to_string(value);
      constexpr std::size_t kMost = 40;
      const std::string why = misfit_words(field_.dtype, number_of(value));
      const std::string what = fmt::format("'{}' {}: {}", path_.text(), why, text.substr(0, kMost));
      if (!why.starts_with("does not fit") && !value.is_string()) refuse(place, what);
      throw Error(fmt::format("{}:{}: {}", place.file, place.line, what),
                  value.is_string()
                      ? fmt::format("{}; field '{}' reads it", kWordsAdvice, field_.name)
                      : misfit_remedy(field_, false));
    }
  }

  void add_list(simdjson::dom::array list, const Place& place, std::size_t depth) {
    // The items are counted, because simdjson's size() ends at 2^24 - 1.
    std::int64_t length = 0;
    for (const element item : list) {
      add(item, place, depth + 1);
      ++length;
    }
    nesting_.close_list(depth, length);
  }

  void add_word(element value, const Place& place) {
    std::string_view word;
    if (value.get(word) != simdjson::SUCCESS) {
      refuse(place, fmt::format("'{}' is no text: {}", path_.text(), simdjson::to_string(value)));
    }
    const std::string where = fmt::format("{}:{}", place.file, place.line);
    data::append_number(values_, field_.dtype,
                        static_cast<double>(categories_->number_of(word, where, "categories")));
  }

  bool add_number(element value) {
    if (bool truth = false; value.get(truth) == simdjson::SUCCESS)
      return data::append_number(values_, field_.dtype, truth ? 1 : 0);
    if (std::int64_t whole = 0; value.get(whole) == simdjson::SUCCESS) {
      // Integers are read directly, because a double cannot hold all of them.
      if (field_.dtype != Dtype::int64)
        return data::append_number(values_, field_.dtype, static_cast<double>(whole));
      data::append(values_, whole);
      return true;
    }
    double number = 0;
    return value.get(number) == simdjson::SUCCESS &&
           data::append_number(values_, field_.dtype, number);
  }

  JsonPath path_;
  std::size_t place_in_object_ = 0;  // index of the key in the line before
  std::optional<Categories> categories_;
  Field field_;
  bool is_shape_known_ = false;
  bool has_written_shape_ = false;  // the recipe gives the shape
  Nesting nesting_;                 // of the last value
  std::vector<std::byte> values_;
};

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Calls `read` with each line that is not blank and with its number, counted from 1.
template <class Read>
void for_each_line(std::string_view text, std::string_view file, const Read& read) {
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.substr(0, kLongestLine).find('\n'), text.size());
    if (end > kLongestLine)
      refuse({file, line, {}}, fmt::format("a line of more than {} MiB", kLongestLine >> 20));
    if (!is_blank_line(text.substr(0, end))) read(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

Table read_jsonl(const recipe::Jsonl& jsonl) {
  const std::string file = jsonl.path.value().string();
  const files::Bytes bytes = files::map_file(jsonl.path.value());
  std::string_view text = bytes.view;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  expect_unpacked(text, file);
  std::vector<JsonReader> readers;
  for (const auto& [name, field] : jsonl.fields) readers.emplace_back(name, field);
  simdjson::dom::parser parser;
  JsonMembers members;
  std::uint64_t rows = 0;
  for_each_line(text, file, [&](std::string_view line, std::uint64_t number) {
    const Place place{file, number, {}};
    element object;
    // The line is copied because simdjson reads some bytes beyond the end of its input.
    const auto failure = parser.parse(simdjson::padded_string(line)).get(object);
    if (failure) refuse(place, fmt::format("no JSON: {}", simdjson::error_message(failure)));
    if (!object.is_object()) refuse(place, "no object");
    if (const auto key = members.take(object)) refuse_twice(place, *key);
    for (JsonReader& reader : readers) reader.read(members, place);
    ++rows;
  });
  if (rows == 0) throw Error(fmt::format("{}: no rows", file), "give a file with samples");
  std::vector<Table::Column> columns;
  for (JsonReader& reader : readers) columns.push_back(reader.take());
  return {rows, std::move(columns)};
}

}  // namespace knead::data
