#include "runner/track/journal_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/track/journal_lines.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::track {
namespace {

constexpr std::size_t kBlock = 1 << 16;
/// Bounds the memory for a line. Lines of knead have some hundred bytes.
constexpr std::size_t kLongestLine = 1 << 20;

void read_item(const nlohmann::ordered_json& line, Report& item) { item = report_from(line); }
void read_item(const nlohmann::ordered_json& line, plan::Evaluation& item) {
  item = evaluation_from(line);
}
void read_item(const nlohmann::ordered_json& line, GeneratedText& item) {
  item = generated_from(line);
}

[[noreturn]] void refuse_line(const std::filesystem::path& path, std::uint64_t line) {
  throw Error(fmt::format("{}:{}: this line cannot be read", path.string(), line),
              "knead writes this file; take the line out if you can do without it");
}

}  // namespace

template <class Item>
JournalReader<Item>::JournalReader(std::filesystem::path path, std::uint64_t end)
    : path_(std::move(path)), end_(end) {}

template <class Item>
JournalReader<Item>::~JournalReader() {
  if (file_ >= 0) ::close(file_);
}

template <class Item>
std::optional<Item> JournalReader<Item>::next() {
  std::size_t newline = text_.find('\n', at_);
  while (newline == text_.npos) {
    const std::size_t seen = text_.size() - at_;
    if (seen > kLongestLine) refuse_line(path_, lines_ + 1);
    if (!read_block()) return std::nullopt;
    newline = text_.find('\n', at_ + seen);
  }
  const std::string_view line = std::string_view(text_).substr(at_, newline - at_);
  ++lines_;
  try {
    Item item;
    read_item(nlohmann::ordered_json::parse(line), item);
    at_ = newline + 1;
    return item;
  } catch (const nlohmann::json::exception&) {
    refuse_line(path_, lines_);
  }
}

template <class Item>
bool JournalReader<Item>::read_block() {
  if (file_ < 0) {
    const schema::OpenedFile opened = schema::open_regular(path_.string(), schema::Links::follow);
    if (opened.reason == ENOENT) return false;
    if (opened.reason != 0)
      throw Error(fmt::format("cannot read {}: {}", path_.string(), std::strerror(opened.reason)));
    file_ = opened.descriptor;
  }
  text_.erase(0, at_);
  at_ = 0;
  const std::size_t before = text_.size();
  const std::size_t wanted = std::min<std::uint64_t>(kBlock, end_ - read_);
  text_.resize(before + wanted);
  ssize_t count = 0;
  do {
    count = ::pread(file_, text_.data() + before, wanted, static_cast<off_t>(read_));
  } while (count < 0 && errno == EINTR);
  text_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0)
    throw Error(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)), "");
  read_ += static_cast<std::uint64_t>(count);
  return count > 0;
}

template class JournalReader<Report>;
template class JournalReader<plan::Evaluation>;
template class JournalReader<GeneratedText>;

}  // namespace knead::track
