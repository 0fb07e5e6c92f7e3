#include "runner/weights/fit.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "schema/document/suggest.h"

namespace knead::weights {
namespace {

constexpr std::size_t kMostLines = 8;         // per kind of misfit
constexpr std::size_t kMostCandidates = 500;  // names that a similar name is searched among

/// Returns the kind of numbers of a type: "F32" is floating-point, "I64" and "U8" are whole
/// numbers.
std::string_view sort_of(const std::string& dtype) {
  if (dtype == "BOOL") return "true or false";
  if (dtype.starts_with('C')) return "complex numbers";
  if (dtype.starts_with('I') || dtype.starts_with('U')) return "whole numbers";
  return "floating-point numbers";
}

/// Returns whether a tensor can be copied to another.
bool is_like(const TensorFacts& a, const TensorFacts& b) {
  return a.shape == b.shape && sort_of(a.dtype) == sort_of(b.dtype);
}

std::string shape_in_words(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace

Fit compare(const std::vector<Slot>& slots, const std::vector<TensorFacts>& offered,
            const std::set<std::string>& passed_over) {
  std::map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < offered.size(); ++i) by_name[offered[i].name] = i;
  std::vector<bool> is_taken(offered.size());
  Fit fit;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    std::vector<std::string_view> names{slots[slot].facts.name};
    names.insert(names.end(), slots[slot].other_names.begin(), slots[slot].other_names.end());
    bool is_there = false;
    // A file may hold a tied weight under all its names. Each is a pair, and the last one copied
    // counts, as in load_state_dict() of PyTorch.
    for (const std::string_view name : names) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) continue;
      // A tensor of another shape is taken too, so that it is reported once and not as unexpected
      // as well.
      is_there = is_taken[found->second] = true;
      if (is_like(slots[slot].facts, offered[found->second])) {
        fit.pairs.push_back({slot, found->second});
      } else {
        fit.unlike.push_back({slot, found->second});
      }
    }
    if (!is_there) fit.missing.push_back(slot);
  }
  for (std::size_t i = 0; i < offered.size(); ++i) {
    if (!is_taken[i] && !passed_over.contains(offered[i].name)) fit.unexpected.push_back(i);
  }
  return fit;
}

std::string counts_in_words(const Fit& fit) {
  std::string text;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view several) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : several);
  };
  add(fit.missing.size(), "is missing", "are missing");
  add(fit.unexpected.size(), "is not expected", "are not expected");
  add(fit.unlike.size(), "is of another shape or type", "are of another shape or type");
  return text;
}

namespace {

/// Describes a prefix that the names of the file, or of the model, have before those of the other:
/// "module.".
struct Prefix {
  std::string text;
  std::size_t count = 0;  // slots that have a tensor if the prefix is removed
};

/// Finds the prefix that the names of `longer` most often have before the names of `shorter`.
Prefix find_prefix(const std::vector<std::string_view>& longer,
                   const std::vector<std::string_view>& shorter) {
  const std::set<std::string_view> known(shorter.begin(), shorter.end());
  std::map<std::string_view, std::size_t> counts;
  for (const std::string_view name : longer) {
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
      if (known.contains(name.substr(dot + 1))) ++counts[name.substr(0, dot + 1)];
    }
  }
  Prefix best;
  for (const auto& [text, count] : counts) {
    if (count > best.count) best = {std::string(text), count};
  }
  return best;
}

/// Escapes a prefix for a regular expression; only dots in it are special there.
std::string escaped(std::string_view prefix) {
  std::string text;
  for (const char c : prefix) {
    if (c == '.') text += '\\';
    text += c;
  }
  return text;
}

/// Writes the description of a misfit.
class Misfits {
 public:
  Misfits(const Fit& fit, const std::vector<Slot>& slots, const std::vector<TensorFacts>& offered)
      : fit_(fit), slots_(slots), offered_(offered) {
    for (const std::size_t i : fit.missing) missing_.push_back(slots[i].facts.name);
    for (const std::size_t i : fit.unexpected) unexpected_.push_back(offered[i].name);
  }

  Misfit words() {
    Misfit misfit;
    misfit.remedy = prefix_remedy();
    // A rename of a prefix replaces the suggestions for single names.
    const bool suggests = misfit.remedy.empty();
    list("missing", fit_.missing.size(), [&](std::size_t i) {
      const TensorFacts& facts = slots_[fit_.missing[i]].facts;
      return fact_words(facts) + (suggests ? near_words(facts) : "");
    });
    list("not expected", fit_.unexpected.size(),
         [&](std::size_t i) { return fact_words(offered_[fit_.unexpected[i]]); });
    list("unlike", fit_.unlike.size(), [&](std::size_t i) { return unlike_words(fit_.unlike[i]); });
    misfit.lines = std::move(lines_);
    return misfit;
  }

 private:
  template <class Function>
  void list(std::string_view title, std::size_t count, Function&& words) {
    for (std::size_t i = 0; i < std::min(count, kMostLines); ++i)
      lines_ += fmt::format("\n  {:<12}  {}", title, words(i));
    if (count > kMostLines)
      lines_ += fmt::format("\n  {:<12}  … and {} more", "", count - kMostLines);
  }

  std::string fact_words(const TensorFacts& facts) const {
    return fmt::format("{} {}", facts.name, shape_in_words(facts.shape));
  }

  /// Suggests a similar name of the file; only tensors of the same shape and kind are candidates.
  std::string near_words(const TensorFacts& facts) const {
    std::vector<std::string_view> candidates;
    for (const std::size_t i : fit_.unexpected) {
      if (candidates.size() < kMostCandidates && is_like(facts, offered_[i]))
        candidates.push_back(offered_[i].name);
    }
    const std::string_view near = schema::nearest(facts.name, candidates);
    return near.empty() ? "" : fmt::format(": the file has '{}'", near);
  }

  std::string unlike_words(const Unlike& unlike) const {
    const TensorFacts& ours = slots_[unlike.slot].facts;
    const TensorFacts& theirs = offered_[unlike.offered];
    if (ours.shape != theirs.shape)
      return fmt::format("{} {} in the model, {} in the file", theirs.name,
                         shape_in_words(ours.shape), shape_in_words(theirs.shape));
    return fmt::format("{} holds {} in the model, {} in the file", theirs.name, sort_of(ours.dtype),
                       sort_of(theirs.dtype));
  }

  /// Suggests a rename rule if it fills at least half of the missing slots and at least two.
  std::string prefix_remedy() const {
    const std::size_t enough = std::max<std::size_t>(2, (missing_.size() + 1) / 2);
    const Prefix file = find_prefix(unexpected_, missing_);
    if (file.count >= enough)
      return fmt::format(
          "names in the file begin with '{}': write rename: [{{match: '^{}', with: "
          "''}}]",
          file.text, escaped(file.text));
    const Prefix model = find_prefix(missing_, unexpected_);
    if (model.count >= enough)
      return fmt::format(
          "names in the model begin with '{}': write rename: [{{match: '^', with: "
          "'{}'}}]",
          model.text, model.text);
    return "";
  }

  const Fit& fit_;
  const std::vector<Slot>& slots_;
  const std::vector<TensorFacts>& offered_;
  std::vector<std::string_view> missing_;
  std::vector<std::string_view> unexpected_;
  std::string lines_;
};

}  // namespace

Misfit misfit_words(const Fit& fit, const std::vector<Slot>& slots,
                    const std::vector<TensorFacts>& offered) {
  return Misfits(fit, slots, offered).words();
}

}  // namespace knead::weights
