#include "runner/syntax/parse.h"

#include <fmt/format.h>

#include "runner/syntax/declarations.h"
#include "runner/syntax/parser.h"
#include "runner/syntax/refusal.h"
#include "runner/syntax/suspensions.h"
#include "runner/syntax/symbols.h"

namespace knead::syntax {
namespace {

// Range counts bytes in 32 bits, and the limit bounds the time and memory of a lint.
constexpr std::size_t kMostBytes = 1 << 20;

/// Checks the bytes of a file before it is tokenized.
class ByteCheck {
 public:
  explicit ByteCheck(const std::shared_ptr<const schema::Source>& source)
      : source_(source), text_(source->text()) {}

  void check() const {
    if (text_.size() > kMostBytes) {
      refuse(0, "the file is longer than 1 MiB", "a model's source is a few pages");
    }
    // Editors on Windows save UTF-16 with a mark. Without this check the message would blame a
    // byte.
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      refuse(0, "the file is UTF-16", "save it as UTF-8");
    }
    bool is_ascii = true;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t length = schema::sequence_length(text_, at);
      if (length == 0) {
        refuse(at, fmt::format("byte 0x{:02X} is not UTF-8", byte(at)), "save the file as UTF-8");
      }
      if (length == 1) check_control_character(at);
      is_ascii = is_ascii && length == 1;
      at += length;
    }
    if (!is_ascii) check_declared_encoding();
  }

 private:
  unsigned byte(std::size_t at) const { return static_cast<unsigned char>(text_[at]); }

  void check_control_character(std::size_t at) const {
    const unsigned c = byte(at);
    if (c == '\r' && !text_.substr(at + 1).starts_with('\n')) {
      refuse(at, "a carriage return without a line feed",
             "save the file with the line ends of Unix or Windows");
    }
    const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == '\f';
    if ((c < 0x20 && !is_blank) || c == 0x7F) {
      refuse(at, fmt::format("control character U+{:04X}", c),
             fmt::format("inside a string write \\x{:02x}", c));
    }
  }

  /// Refuses an encoding other than UTF-8 in one of the first two lines, as in `# -*- coding:
  /// latin-1 -*-`. An ASCII file is the same in all of them and is not checked.
  void check_declared_encoding() const {
    for (const int line : {1, 2}) {
      const std::string_view text = source_->line(line);
      const std::size_t mark = text.find("coding");
      if (!text.substr(std::min(text.find_first_not_of(" \t\f\xEF\xBB\xBF"), text.size()))
               .starts_with('#')) {
        return;
      }
      if (mark == text.npos || mark + 6 >= text.size()) continue;
      if (text[mark + 6] != ':' && text[mark + 6] != '=') continue;
      const std::size_t begin = std::min(text.find_first_not_of(" \t", mark + 7), text.size());
      const std::size_t end = std::min(text.find_first_of(" \t;*", begin), text.size());
      const std::string_view encoding = text.substr(begin, end - begin);
      if (!is_utf8(encoding)) {
        refuse(source_->line_start(line) + begin,
               fmt::format("the file says that it is {}, not UTF-8", encoding),
               "save it as UTF-8 and take this line out");
      }
      return;
    }
  }

  static bool is_utf8(std::string_view encoding) {
    std::string letters;
    for (const char c : encoding) {
      if (c != '-' && c != '_') letters += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return letters.starts_with("utf8") || letters.empty();
  }

  [[noreturn]] void refuse(std::size_t at, std::string message, std::string remedy) const {
    throw Refusal("model-syntax", {source_, at, at + 1}, std::move(message), std::move(remedy));
  }

  const std::shared_ptr<const schema::Source>& source_;
  std::string_view text_;
};

}  // namespace

std::shared_ptr<const File> parse(std::shared_ptr<const schema::Source> source) {
  ByteCheck(source).check();
  auto file = std::make_shared<File>();
  file->source = source;
  file->body = Parser(std::move(source)).file();
  // These checks need finished scopes, so they come after the whole file has parsed.
  check_symbols(*file);
  check_declarations(*file);
  check_suspensions(*file);
  return file;
}

}  // namespace knead::syntax
