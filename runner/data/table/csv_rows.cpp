#include "runner/data/table/csv_rows.h"

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

constexpr std::size_t kLongestRow = 32 << 20;  // bytes, with line ends in quotes
constexpr std::size_t kMostCells = 1'000'000;  // of a row

}  // namespace

CsvRows::CsvRows(std::string_view text, char delimiter, std::string name)
    : text_(text), delimiter_(delimiter), name_(std::move(name)) {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
    throw Error(name_ + " is in UTF-16", "save it in UTF-8");
  const std::string_view first = text_.substr(0, kLongestRow);
  if (first.find('\n') == first.npos &&
      first.substr(0, first.size() - 1).find('\r') != first.npos) {
    throw Error(name_ + ": lines end in CR alone", "end them in LF, or in CR LF");
  }
  // Blank lines at the end are removed here, so that next() need not look ahead.
  while (!text_.empty() && (text_.back() == '\n' || text_.back() == '\r')) text_.remove_suffix(1);
}

bool CsvRows::next() {
  if (at_ >= text_.size()) return false;
  cells_.clear();
  unescaped_.clear();
  line_ = next_line_;
  const std::size_t begin = at_;
  end_ = text_.size() - begin > kLongestRow ? begin + kLongestRow : text_.size();
  for (bool more = true; more;) {
    if (cells_.size() == kMostCells) refuse_line(fmt::format("more than {} cells", kMostCells));
    // A quote has a meaning only at the beginning of a cell; elsewhere it is an ordinary character.
    const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
    cells_.push_back(is_quoted ? quoted_cell() : plain_cell());
    more = at_ < text_.size() && text_[at_] == delimiter_;
    if (more) ++at_;
  }
  end_line();
  return true;
}

std::string_view CsvRows::plain_cell() {
  const std::size_t begin = at_;
  while (at_ < end_ && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
  expect_end();
  std::size_t end = at_;
  // Only a CR directly before the line end belongs to it; another one is part of the cell.
  if (end > begin && text_[end - 1] == '\r' && (at_ == text_.size() || text_[at_] == '\n')) --end;
  return text_.substr(begin, end - begin);
}

std::string_view CsvRows::quoted_cell() {
  const std::size_t begin = ++at_;
  bool has_quotes = false;
  for (;; ++at_) {
    if (at_ >= end_) expect_end();
    if (at_ >= text_.size()) {
      throw Error(fmt::format("{}:{}: a quote is never closed", name_, line_),
                  "a quote inside a quoted cell is doubled");
    }
    if (text_[at_] == '\n') ++next_line_;
    if (text_[at_] != '"') continue;
    const bool is_doubled = at_ + 1 < text_.size() && text_[at_ + 1] == '"';
    if (!is_doubled) break;
    has_quotes = true;
    ++at_;
  }
  const std::string_view inside = text_.substr(begin, at_++ - begin);
  const bool ends = at_ >= text_.size() || text_[at_] == delimiter_ || text_[at_] == '\n' ||
                    text_.substr(at_).starts_with("\r\n");
  if (!ends) {
    throw Error(fmt::format("{}:{}: text stands behind a closing quote", name_, line_),
                "a quote inside a quoted cell is doubled");
  }
  if (!has_quotes) return inside;
  std::string plain;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    plain += inside[i];
    if (inside[i] == '"') ++i;
  }
  unescaped_.push_back(std::move(plain));
  return unescaped_.back();
}

void CsvRows::expect_end() const {
  if (at_ >= end_ && end_ < text_.size())
    refuse_line(fmt::format("a row of more than {} MiB", kLongestRow >> 20));
}

void CsvRows::refuse_line(const std::string& what) const {
  throw Error(fmt::format("{}:{}: {}", name_, line_, what),
              "is it a csv file? Its rows end in LF, and a quote is closed");
}

void CsvRows::end_line() {
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  ++next_line_;
}

}  // namespace knead::data
