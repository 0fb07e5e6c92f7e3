#include "runner/engine/model/explain/trace.h"

#include <charconv>
#include <optional>

namespace knead::engine::model {
namespace {

/// TorchScript appends this text to the underline of the failing expression.
constexpr std::string_view kMark = " <--- HERE";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

/// Reads a line such as `  File "mlp.py", line 19, in forward`; returns std::nullopt for other
/// lines.
std::optional<Frame> read_header(std::string_view line) {
  constexpr std::string_view kBegin = "  File \"", kLine = "\", line ";
  if (!line.starts_with(kBegin)) return std::nullopt;
  const std::size_t end = line.find(kLine);
  if (end == line.npos) return std::nullopt;
  Frame frame;
  frame.file = line.substr(kBegin.size(), end - kBegin.size());
  const char* const digits = line.data() + end + kLine.size();
  const auto read = std::from_chars(digits, line.data() + line.size(), frame.line);
  return read.ec == std::errc() ? std::optional(frame) : std::nullopt;
}

/// Returns whether a line underlines source: blanks, tildes and possibly kMark. An expression of
/// several lines has kMark at the last one.
bool is_mark(std::string_view line) {
  if (line.ends_with(kMark)) line.remove_suffix(kMark.size());
  return line.find_first_not_of(" ~") == line.npos && line.find('~') != line.npos;
}

/// Sets column and length of a frame from the underline.
void read_mark(std::string_view line, Frame& frame) {
  const std::size_t begin = line.find('~');
  frame.column = static_cast<int>(begin) + 1;
  frame.length = static_cast<int>(line.rfind('~') - begin) + 1;
}

/// Returns the length of the class name before the cause of an error at run time: "RuntimeError: ",
/// "builtins.ValueError: ". Returns 0 if the line has no such prefix.
std::size_t class_prefix(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == line.npos) return 0;
  const std::string_view name = line.substr(0, colon);
  const bool is_name =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._") == name.npos;
  return is_name && (name.ends_with("Error") || name.starts_with("builtins.")) ? colon + 2 : 0;
}

/// Returns the part of `text` that begins with `line`, which must be a view into `text`.
std::string_view rest_from(std::string_view text, std::string_view line) {
  return text.substr(static_cast<std::size_t>(line.data() - text.data()));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

}  // namespace

Trace read_run_trace(std::string_view text) {
  constexpr std::string_view kOriginal = "Traceback of TorchScript, original code";
  if (const std::size_t original = text.find(kOriginal); original != text.npos) {
    // An archive prints its own frames first and those of the original source after this heading.
    text.remove_prefix(original);
  }
  Trace trace;
  // A source line may look like a cause, so a cause counts only after the underline of a frame.
  bool after_mark = false;
  for (std::string_view line : lines_of(text)) {
    if (auto frame = read_header(line)) {
      trace.frames.push_back(*frame);
      after_mark = false;
    } else if (!trace.frames.empty() && !after_mark && is_mark(line)) {
      read_mark(line, trace.frames.back());
      after_mark = true;
    } else if (const std::size_t prefix =
                   after_mark || trace.frames.empty() ? class_prefix(line) : 0) {
      trace.cause = trimmed(rest_from(text, line.substr(prefix)));
      break;
    }
  }
  if (trace.cause.empty()) trace.cause = trimmed(text);
  return trace;
}

Trace read_compile_trace(std::string_view text) {
  Trace trace;
  for (std::string_view line : lines_of(text)) {
    if (auto frame = read_header(line)) {
      if (trace.frames.empty()) {
        trace.cause = trimmed(text.substr(0, static_cast<std::size_t>(line.data() - text.data())));
      }
      trace.frames.push_back(*frame);
      // An expression of several lines has several underlines; the first one has its begin.
    } else if (!trace.frames.empty() && trace.frames.back().column == 0 && is_mark(line)) {
      read_mark(line, trace.frames.back());
    }
  }
  if (trace.frames.empty()) trace.cause = trimmed(text);
  if (trace.cause.ends_with(':')) trace.cause.pop_back();
  return trace;
}

std::string first_sentence(std::string_view message) {
  message = trimmed(message.substr(0, message.find("\nException raised from")));
  message = message.substr(0, message.find('\n'));
  if (message.ends_with('.') || message.ends_with(':')) message.remove_suffix(1);
  // The text of `raise` may have any length, and is searched by regular expressions.
  constexpr std::size_t kMost = 1000;
  if (message.size() <= kMost) return std::string(message);
  std::size_t end = kMost;
  while ((static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
  return std::string(message.substr(0, end)) + " …";
}

}  // namespace knead::engine::model
