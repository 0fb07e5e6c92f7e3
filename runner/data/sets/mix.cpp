#include "runner/data/sets/mix.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/data/arrays/stored.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

std::string words_of(const Field& field) {
  return field.shape.empty() ? fmt::format("one {}", word_of(field.dtype))
                             : fmt::format("{} {}", shape_words(field.shape), word_of(field.dtype));
}

std::string names_of(const Source& source) {
  std::vector<std::string> names;
  for (const Field& field : source.fields()) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns the index in `other` of each field of `first`. Throws knead::Error if the fields differ.
std::vector<std::size_t> matched(const MixPart& first, const MixPart& other) {
  const auto& theirs = other.source->fields();
  std::vector<std::size_t> places;
  for (const Field& field : first.source->fields()) {
    std::size_t place = 0;
    while (place < theirs.size() && theirs[place].name != field.name) ++place;
    if (place == theirs.size() || theirs.size() != first.source->fields().size()) {
      throw Error(fmt::format("{} has the fields {}, and {} {}", first.name,
                              names_of(*first.source), other.name, names_of(*other.source)),
                  "the sets of a mix have the same fields");
    }
    if (theirs[place].dtype != field.dtype || theirs[place].shape != field.shape) {
      throw Error(fmt::format("'{}' is {} in {}, and {} in {}", field.name, words_of(field),
                              first.name, words_of(theirs[place]), other.name),
                  "the fields of a mix have the same type and shape in all of its sets");
    }
    places.push_back(place);
  }
  return places;
}

}  // namespace

MixSource::MixSource(std::vector<MixPart> parts) : parts_(std::move(parts)) {
  std::uint64_t rows = 0;
  for (const MixPart& part : parts_) {
    ends_.push_back(rows += part.rows.size());
    places_.push_back(matched(parts_[0], part));
  }
}

std::size_t MixSource::part_of(std::uint64_t row) const {
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), row) -
                                  ends_.begin());
}

/// A source takes consecutive positions only, so a run ends where the round changes or a position
/// is skipped.
std::size_t MixSource::read_together(std::size_t field, const Request& request, std::size_t begin,
                                     std::byte* destination) const {
  const std::size_t number = part_of(request.rows[begin]);
  const MixPart& part = parts_[number];
  const std::uint64_t first_row = number == 0 ? 0 : ends_[number - 1];
  std::vector<std::uint64_t> rows;
  for (std::size_t i = begin; i < request.rows.size(); ++i) {
    if (part_of(request.rows[i]) != number) break;
    const bool goes_on = request.turns.empty() || i == begin ||
                         (request.turns[i].round == request.turns[i - 1].round &&
                          request.turns[i].place == request.turns[i - 1].place + 1);
    if (!goes_on) break;
    rows.push_back(part.rows[request.rows[i] - first_row]);
  }
  // Within a mix, round and position of a set replace those of the epoch.
  Request theirs{rows, request.epoch, request.first + begin, {}};
  if (!request.turns.empty()) {
    theirs.epoch = request.turns[begin].round;
    theirs.first = request.turns[begin].place;
  }
  part.source->read(places_[number][field], theirs, destination);
  return rows.size();
}

void MixSource::read(std::size_t field, const Request& request, std::byte* destination) const {
  const std::size_t bytes = fields()[field].bytes_per_sample();
  for (std::size_t i = 0; i < request.rows.size();) {
    const std::size_t count = read_together(field, request, i, destination);
    destination += count * bytes;
    i += count;
  }
}

}  // namespace knead::data
