#include "runner/files/bounded_json.h"

#include <type_traits>

namespace knead::files {
namespace {

using Json = nlohmann::json;

// Bytes that nlohmann-json takes for a value, a container besides, and a key of an object.
constexpr std::uint64_t kValue = 24;
constexpr std::uint64_t kContainer = 64;
constexpr std::uint64_t kKey = 96;

/// Counts the events of the parser and passes them on to the class that makes values of them. The
/// parser's own callback would do for the counting, but takes quadratic time for blocks in a list.
class Counting {
 public:
  Counting(Json& out, Budget& budget, JsonWatch* watch)
      : made_(out), budget_(budget), watch_(watch) {}

  bool null() { return counted(kValue).null(); }
  bool boolean(bool value) { return counted(kValue).boolean(value); }
  bool number_integer(Json::number_integer_t value) {
    return counted(kValue).number_integer(value);
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return counted(kValue).number_unsigned(value);
  }
  bool number_float(Json::number_float_t value, const std::string& text) {
    return counted(kValue).number_float(value, text);
  }
  bool string(std::string& text) { return counted(kValue + text.size()).string(text); }
  bool binary(Json::binary_t& bytes) { return made_.binary(bytes); }

  bool start_object(std::size_t count) {
    if (watch_) watch_->begin_block(depth_);
    budget_.expect_depth(++depth_);
    return counted(kContainer).start_object(count);
  }
  bool start_array(std::size_t count) {
    if (watch_) watch_->begin_list(depth_);
    budget_.expect_depth(++depth_);
    return counted(kContainer).start_array(count);
  }
  bool key(std::string& text) {
    if (watch_) watch_->key(depth_, text);
    return counted(kKey + text.size()).key(text);
  }
  bool end_object() {
    if (watch_) watch_->end_block();
    --depth_;
    return made_.end_object();
  }
  bool end_array() {
    --depth_;
    return made_.end_array();
  }
  template <class Failure>
  bool parse_error(std::size_t at, const std::string& token, const Failure& failure) {
    // That of a number beyond a double is another exception, and has no place.
    if constexpr (!std::is_same_v<Failure, Json::parse_error>)
      throw Json::parse_error::create(101, at, "a number is too large", nullptr);
    return made_.parse_error(at, token, failure);
  }

 private:
  using Maker = nlohmann::detail::json_sax_dom_parser<Json>;

  Maker& counted(std::uint64_t bytes) {
    budget_.hold(bytes);
    return made_;
  }

  Maker made_;
  Budget& budget_;
  JsonWatch* watch_;
  std::size_t depth_ = 0;
};

}  // namespace

Json parse_bounded_json(std::string_view text, Budget& budget, JsonWatch* watch) {
  Json out;
  Counting counting(out, budget, watch);
  Json::sax_parse(text, &counting);
  return out;
}

}  // namespace knead::files
