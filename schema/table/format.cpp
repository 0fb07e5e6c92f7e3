#include "schema/table/format.h"

#include <algorithm>

#include "schema/document/source.h"

namespace knead::schema {
namespace {

// Letters are ASCII: std::isalpha depends on the locale, and a recipe means the same everywhere.
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

constexpr std::size_t kLongestPath = 4096;  // PATH_MAX

bool is_in(char c, std::string_view set) { return set.find(c) != set.npos; }

/// Returns whether a text can be the name of a run, which becomes the name of a folder.
bool is_run_name(std::string_view text) {
  const auto begins = [](char c) { return is_in(c, kLetters) || is_in(c, kDigits); };
  const auto goes_on = [&](char c) { return begins(c) || is_in(c, "._-"); };
  return !text.empty() && text.size() <= 64 && begins(text[0]) &&
         std::all_of(text.begin(), text.end(), goes_on);
}

bool is_identifier(std::string_view text) {
  const auto begins = [](char c) { return is_in(c, kLetters) || c == '_'; };
  const auto goes_on = [&](char c) { return begins(c) || is_in(c, kDigits); };
  return !text.empty() && begins(text[0]) && std::all_of(text.begin(), text.end(), goes_on);
}

bool is_sha256(std::string_view text) {
  const auto is_hex = [](char c) { return is_in(c, "0123456789abcdef"); };
  return text.size() == 64 && std::all_of(text.begin(), text.end(), is_hex);
}

bool is_metric(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != text.npos && is_identifier(text.substr(0, slash)) &&
         is_identifier(text.substr(slash + 1));
}

bool is_key_path(std::string_view text) {
  const bool has_empty_step =
      text.empty() || text.front() == '.' || text.back() == '.' || text.find("..") != text.npos;
  return !has_empty_step && text.find_first_of("= ") == text.npos;
}

}  // namespace

std::optional<std::string> format_fault(Format format, std::string_view text) {
  const auto unless = [](bool fits, std::string fault) {
    return fits ? std::nullopt : std::optional<std::string>(std::move(fault));
  };
  switch (format) {
    case Format::none: return std::nullopt;
    case Format::run_name:
      return unless(
          is_run_name(text),
          "must be 1 to 64 letters, digits, '.', '_' or '-', the first a letter or a digit");
    case Format::path:
      // Only shells expand '~'; here it would name a folder of that name.
      if (text.starts_with("~/")) return "is not expanded by a shell: write '${env:HOME}/…'";
      if (text.size() > kLongestPath) return "is longer than any path can be";
      return unless(!text.empty(), "must not be empty");
    case Format::identifier:
      return unless(is_identifier(text), "must be a name of letters, digits and '_'");
    case Format::sha256:
      return unless(is_sha256(text), "must be a SHA-256: 64 digits of 0-9 and a-f");
    case Format::metric:
      return unless(is_metric(text), "must be SET/METRIC, as in 'validation/loss'");
    case Format::word: return unless(!text.empty(), "must not be empty");
    case Format::character: return unless(code_points(text) == 1, "must be one character");
    case Format::code:
      return unless(text.find_first_not_of(" \n") != text.npos,
                    "must hold the source of a function");
    case Format::key_path:
      return unless(is_key_path(text), "must be the path of a key, as in optimizer.lr");
  }
  return std::nullopt;
}

std::string_view format_pattern(Format format) {
  switch (format) {
    case Format::none: return "";
    case Format::run_name: return "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";
    case Format::path: return "^(?!~/).+$";
    case Format::identifier: return "^[A-Za-z_][A-Za-z0-9_]*$";
    case Format::sha256: return "^[0-9a-f]{64}$";
    case Format::metric: return "^[A-Za-z_][A-Za-z0-9_]*/[A-Za-z_][A-Za-z0-9_]*$";
    case Format::word: return "^.+$";
    case Format::character: return "^.$";
    case Format::code: return "[^ \\n]";
    case Format::key_path: return "^[^.= ]+(\\.[^.= ]+)*$";
  }
  return "";
}

std::string_view format_words(Format format) {
  switch (format) {
    case Format::none: return "text";
    case Format::run_name: return "a name: letters, digits, '.', '_', '-'";
    case Format::path: return "a path, relative to the file that names it";
    case Format::identifier: return "a name: letters, digits, '_'";
    case Format::sha256: return "a SHA-256";
    case Format::metric: return "SET/METRIC";
    case Format::word: return "text";
    case Format::character: return "one character";
    case Format::code: return "the source of a function, as a block below `|`";
    case Format::key_path: return "the path of a key";
  }
  return "";
}

}  // namespace knead::schema
