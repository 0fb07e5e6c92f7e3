#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <simdjson.h>

#include "runner/data/arrays/stored.h"
#include "runner/data/source/json_path.h"
#include "runner/data/source/nesting.h"
#include "runner/data/table/categories.h"
#include "runner/data/tar/file_reader.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

using simdjson::dom::element;

/// Reads JSON files with numbers, words, or nested lists of them.
class JsonFiles final : public FileReader {
 public:
  JsonFiles(const std::string& name, const recipe::TarField& field)
      : FileReader({name, Dtype::float32, {}}) {
    if (field.key) path_.emplace(*field.key);
    if (field.categories) categories_ = std::make_unique<const Categories>(*field.categories);
    field_.dtype = field.dtype   ? dtype_named(recipe::to_string(*field.dtype))
                   : categories_ ? Dtype::int64
                                 : Dtype::float32;
    if (field.shape) field_.shape = *field.shape;
    is_shape_known_ = field.shape.has_value();
  }

  void look_at(std::string_view file, const std::string& name) override {
    if (is_shape_known_) return;
    simdjson::dom::parser parser;
    field_.shape = json_shape(value_of(parser, simdjson::padded_string(file), name));
  }

  void read(std::string_view file, const std::string& name, std::byte* destination) const override {
    // A parser serves one thread at a time, so each call has its own.
    simdjson::dom::parser parser;
    const simdjson::padded_string text(file);
    Written written{destination, field_.bytes_per_sample() / bytes_of(field_.dtype)};
    write(value_of(parser, text, name), name, 0, written);
    const auto refuse_shape = [&](const std::string& what, const char* remedy) {
      throw Error(fmt::format("{} {}, the field '{}' is {}", name, what, field_.name,
                              shape_words(field_.shape)),
                  remedy);
    };
    constexpr auto kAlike = "all samples of a set have the same shape";
    if (written.count != written.wanted)
      refuse_shape(fmt::format("has {} numbers", written.count), kAlike);
    if (written.nesting.is_ragged())
      refuse_shape("has a ragged list", "lists of one depth have the same length");
    // A shape of the recipe takes the numbers in their order.
    if (!is_shape_known_ && written.nesting.shape() != field_.shape)
      refuse_shape("is " + shape_words(written.nesting.shape()), kAlike);
  }

 private:
  /// Counts what was written of a sample.
  struct Written {
    std::byte* destination;
    std::size_t wanted;  // numbers that have room
    std::size_t count = 0;
    Nesting nesting = {};
  };

  /// Parses a file and returns the value of the field's key.
  element value_of(simdjson::dom::parser& parser, const simdjson::padded_string& text,
                   const std::string& name) const {
    element value;
    const auto failure = parser.parse(text).get(value);
    if (failure)
      throw Error(fmt::format("{}: no JSON: {}", name, simdjson::error_message(failure)),
                  fmt::format("field '{}' reads it", field_.name));
    if (!path_) return value;
    const auto refuse_twice = [&](const std::string& key) {
      throw Error(fmt::format("{}: an object has the key '{}' twice", name, key),
                  "keep one of them");
    };
    JsonMembers members;
    if (const auto key = members.take(value)) refuse_twice(*key);
    std::size_t place = 0;
    if (const auto found = path_->find(members, place, refuse_twice)) return *found;
    throw Error(fmt::format("{}: there is no '{}'", name, path_->text()),
                fmt::format("field '{}' reads it", field_.name));
  }

  /// Writes the numbers of a value inside of `depth` lists that have room, and counts all of them,
  /// so that the message can tell the number.
  void write(element value, const std::string& name, std::size_t depth, Written& out) const {
    simdjson::dom::array array;
    if (value.get(array) == simdjson::SUCCESS) {
      // The items are counted, because simdjson's size() ends at 2^24 - 1.
      std::int64_t length = 0;
      for (const element item : array) {
        write(item, name, depth + 1, out);
        ++length;
      }
      return out.nesting.close_list(depth, length);
    }
    out.nesting.add_value(depth);
    if (out.count < out.wanted)
      write_one(value, name, out.destination + out.count * bytes_of(field_.dtype));
    ++out.count;
  }

  /// Writes a number, a boolean or a category.
  void write_one(element value, const std::string& name, std::byte* destination) const {
    if (std::string_view word; categories_ && value.get(word) == simdjson::SUCCESS)
      return write_number(categories_->number_of(word, name, "categories"), field_, name,
                          destination);
    if (bool truth = false; !categories_ && value.get(truth) == simdjson::SUCCESS)
      return write_number(std::int64_t{truth}, field_, name, destination);
    if (std::int64_t whole = 0; !categories_ && value.get(whole) == simdjson::SUCCESS)
      return write_number(whole, field_, name, destination);
    if (double number = 0; !categories_ && value.get(number) == simdjson::SUCCESS)
      return write_number(number, field_, name, destination);
    constexpr std::size_t kMost = 40;
    throw Error(fmt::format("{} is no {}: {}", name, categories_ ? "text" : "number",
                            simdjson::to_string(value).substr(0, kMost)),
                fmt::format("field '{}' reads it", field_.name));
  }

  std::optional<JsonPath> path_;
  std::unique_ptr<const Categories> categories_;
  bool is_shape_known_ = false;
};

}  // namespace

std::unique_ptr<FileReader> make_json_reader(const std::string& name,
                                             const recipe::TarField& field) {
  return std::make_unique<JsonFiles>(name, field);
}

}  // namespace knead::data
