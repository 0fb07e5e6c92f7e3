#include "runner/data/arrays/npy.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 64;  // NumPy's limit; before version 2 it was 32

/// Parses the text of a header, a Python dict of three keys. NumPy reads it by ast.literal_eval();
/// this class accepts only the literals that numpy.save writes.
class Header {
 public:
  /// `begin`: offset of the text in the file, for messages.
  Header(std::string_view text, std::size_t begin, const std::string& name)
      : text_(text), begin_(begin), name_(name) {}

  StoredArray read() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      read_value(key);
      if (!accept(',') && peek() != '}') refuse("',' or '}' is missing in the header");
    }
    skip_spaces();
    if (at_ < text_.size()) refuse("text follows the header");
    if (!has_type_ || !has_order_ || !has_shape_)
      refuse("the header lacks 'descr', 'fortran_order' or 'shape'");
    return array_;
  }

 private:
  void read_value(std::string_view key) {
    if (key == "descr" && !has_type_) {
      read_type();
      has_type_ = true;
    } else if (key == "fortran_order" && !has_order_) {
      array_.is_fortran = boolean();
      has_order_ = true;
    } else if (key == "shape" && !has_shape_) {
      read_shape();
      has_shape_ = true;
    } else {
      refuse(fmt::format("the header has an unknown or a second '{}'", key.substr(0, 40)));
    }
  }

  void read_type() {
    skip_spaces();
    if (peek() == '[') refuse("its rows are records of several types, not numbers");
    const std::size_t place = at_;
    const std::string_view word = quoted();
    at_ = place;  // messages about the type point to its beginning
    const auto type = type_of(word.empty() ? word : word.substr(1));
    const bool has_order = !word.empty() && std::string_view("<>|=").find(word[0]) != word.npos;
    if (word.ends_with("O") || word.starts_with("O"))
      refuse("it holds pickled Python objects, which are never loaded");
    if (!type || !has_order)
      refuse(fmt::format("the type '{}' is no number that knead reads", word.substr(0, 40)));
    array_.type = *type;
    array_.is_big_endian = word[0] == '>';
    at_ += word.size() + 2;
  }

  static std::optional<Stored> type_of(std::string_view word) {
    struct Pair {
      std::string_view word;
      Stored type;
    };
    static constexpr Pair kTypes[] = {
        {"b1", Stored::boolean}, {"u1", Stored::uint8},   {"i1", Stored::int8},
        {"u2", Stored::uint16},  {"i2", Stored::int16},   {"u4", Stored::uint32},
        {"i4", Stored::int32},   {"u8", Stored::uint64},  {"i8", Stored::int64},
        {"f2", Stored::float16}, {"f4", Stored::float32}, {"f8", Stored::float64}};
    for (const Pair& pair : kTypes) {
      if (pair.word == word) return pair.type;
    }
    return std::nullopt;
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      if (array_.shape.size() == kMostDimensions) refuse("the shape has too many dimensions");
      array_.shape.push_back(number());
      if (!accept(',') && peek() != ')') refuse("',' or ')' is missing in the shape");
    }
  }

  std::int64_t number() {
    skip_spaces();
    std::int64_t value = 0;
    const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (read.ec != std::errc() || value < 0) refuse("a size of the shape is no count");
    at_ = static_cast<std::size_t>(read.ptr - text_.data());
    if (peek() == 'L') ++at_;  // Python 2 wrote long integers with a suffix
    return value;
  }

  bool boolean() {
    skip_spaces();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += std::string_view(word).size();
      return value;
    }
    refuse("'fortran_order' is neither True nor False");
  }

  std::string_view quoted() {
    skip_spaces();
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("a quoted word is missing in the header");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) refuse("a quote of the header is never closed");
    const std::string_view word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return word;
  }

  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) refuse(fmt::format("'{}' is missing in the header", wanted));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("{}: {} (byte {})", name_, what, begin_ + at_),
                "numpy.save writes such files from arrays of numbers");
  }

  std::string_view text_;
  std::size_t begin_;
  const std::string& name_;
  std::size_t at_ = 0;
  StoredArray array_;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// Throws knead::Error unless exactly the values of the array follow the header.
void check_values(const StoredArray& array, std::uint64_t size, const std::string& name) {
  const auto bytes = bytes_of(array.type, array.shape);
  if (!bytes) {
    throw Error(
        fmt::format("{}: the shape {} is larger than any file", name, shape_words(array.shape)),
        "the file is damaged: write it again");
  }
  const std::uint64_t there = size - array.begin;
  if (*bytes == there) return;
  throw Error(
      fmt::format("{}: {} of {} take {} bytes, {} follow the header at byte {}", name,
                  shape_words(array.shape), word_of(array.type), *bytes, there, array.begin),
      *bytes > there ? "the file is cut short: write it again"
                     : "a file holds one array; numpy.savez writes several to an npz");
}

}  // namespace

StoredArray read_npy(std::string_view file, const std::string& name) {
  if (!file.starts_with(kMagic)) {
    throw Error(name + ": no npy file, it does not begin with \\x93NUMPY",
                "numpy.save writes such files");
  }
  const auto cut_short = [&] {
    return Error(fmt::format("{}: the header is cut short at byte {}", name, file.size()),
                 "the file is damaged: write it again");
  };
  if (file.size() < kMagic.size() + 2) throw cut_short();
  const int version = static_cast<unsigned char>(file[kMagic.size()]);
  if (version < 1 || version > 3) {
    throw Error(fmt::format("{}: version {} of the npy format is unknown (byte 6)", name, version),
                "numpy.save writes versions 1 to 3");
  }
  const std::size_t at = kMagic.size() + 2;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (file.size() - at < length_bytes) throw cut_short();
  const std::uint64_t length = little_endian(file.substr(at, length_bytes));
  const std::size_t begin = at + length_bytes;
  if (file.size() - begin < length) throw cut_short();
  StoredArray array = Header(file.substr(begin, length), begin, name).read();
  array.begin = begin + length;
  check_values(array, file.size(), name);
  return array;
}

}  // namespace knead::data
