#include "runner/data/sets/sets.h"

#include <map>

#include <fmt/format.h>

#include "runner/data/sets/image_classes.h"
#include "runner/data/sets/mix.h"
#include "runner/data/sets/open.h"
#include "runner/data/sets/sampler.h"
#include "runner/data/sets/selection.h"
#include "runner/data/sets/training_set.h"
#include "runner/data/source/paths.h"
#include "runner/data/transforms/transformed_source.h"
#include "runner/plan/order.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Opens the sets of a recipe and distributes rows among them.
class SetReader {
 public:
  SetReader(const recipe::Data& data, std::uint64_t seed, Augmentation augmentation)
      : seed_(seed), augmentation_(augmentation) {
    opening_.seed = seed;
    opening_.alphabet = training_texts(data.train);
    add("train", data.train);
    if (data.validation) add("validation", *data.validation);
    if (data.test) add("test", *data.test);
  }

  /// Selects the rows of all sets and returns the finished sets.
  Sets read(const recipe::Data& data) {
    for (auto& [name, set] : sets_) {
      if (!set.selection.hold_out)
        set.rows = select_rows("data." + name, set.keys, set.selection, set.source->rows());
    }
    for (auto& [name, set] : sets_) set.whole = set.rows.size();
    // Rows are held out after all other rows are selected, since they come out of another set.
    for (const char* name : {"validation", "test", "train"}) hold_out_for(name);
    plan::EpochOrder order = order_of(sets_.at("train"), data);
    return {take("train"), take_if("validation"), take_if("test"), opening_.tokenizer,
            std::move(order)};
  }

 private:
  /// Holds a set whose rows may not be final.
  struct OpenedSet {
    recipe::DataSet keys;  // the keys that determine the source
    Selection selection;
    std::shared_ptr<const Source> source;
    Rows rows;
    std::uint64_t whole = 0;  // rows before another set holds some out
    std::vector<recipe::Transform> transforms;
    std::vector<std::uint64_t> ends;  // of the sets of a mix, in rows of the source
  };

  void add(const std::string& name, const recipe::DataSet& set) {
    OpenedSet added{
        without_selection(set), selection_of(set), nullptr, {}, 0, transforms_of(set), {}};
    if (const auto* mix = std::get_if<recipe::Mix>(&set)) {
      auto source = std::make_shared<const MixSource>(parts_of(*mix, name));
      added.ends = source->ends();
      added.source = std::move(source);
    } else {
      added.source = opened(added.keys, "data." + name);
    }
    sets_.emplace(name, std::move(added));
  }

  /// Opens a source, or returns the one that was opened for equal keys.
  std::shared_ptr<const Source> opened(const recipe::DataSet& keys, const std::string& name) {
    // Compares keys in a list, since a recipe has a handful of sets and DataSet has no order or
    // hash.
    for (const auto& [known, source] : opened_) {
      if (known == keys) return source;
    }
    opening_.set = name;
    return opened_.emplace_back(keys, open(keys, opening_)).second;
  }

  /// Opens the sets of a mix.
  std::vector<MixPart> parts_of(const recipe::Mix& mix, const std::string& set) {
    std::vector<MixPart> parts;
    for (std::size_t i = 0; i < mix.of.size(); ++i) {
      const recipe::DataSet member = set_of(mix.of[i]);
      MixPart part{fmt::format("data.{}.of.{}", set, i), nullptr, {}};
      part.source = opened(without_selection(member), part.name);
      part.rows = select_rows(part.name, member, selection_of(member), part.source->rows());
      // Each set of a mix draws from a seed of its own.
      const std::uint64_t seed =
          plan::random_bits(seed_, plan::Purpose::mix, static_cast<std::uint32_t>(i), 1);
      part.source = transformed(part.source, transforms_of(member), seed, draws(set), part.name);
      parts.push_back(std::move(part));
    }
    return parts;
  }

  /// Moves rows of another set to a set that holds them out.
  void hold_out_for(const std::string& name) {
    const auto set = sets_.find(name);
    if (set == sets_.end() || !set->second.selection.hold_out) return;
    const std::string& from = set->second.selection.like.value();
    OpenedSet& other = sets_.at(from);
    if (set->second.source->rows() != other.source->rows()) {
      throw Error(fmt::format("data.{} is to hold out rows of data.{}, but has {} rows and not {}",
                              name, from, set->second.source->rows(), other.source->rows()),
                  "let it read the same files");
    }
    set->second.rows = hold_out(other.rows, other.whole, *set->second.selection.hold_out, seed_);
  }

  /// Returns the order in which the training set is read.
  plan::EpochOrder order_of(const OpenedSet& train, const recipe::Data& data) const {
    const auto* mix = std::get_if<recipe::Mix>(&data.train);
    if (!mix) return {train.rows.size(), seed_, data.shuffle};
    std::vector<plan::MixDraw::Part> parts;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < mix->of.size(); ++i) {
      const std::uint64_t end = rows_below(train.rows, train.ends[i]);
      if (end == before)
        throw Error(fmt::format("hold_out leaves no sample of data.train.of.{}", i),
                    "hold out fewer");
      parts.push_back({end - before, weight_of(mix->of[i])});
      before = end;
    }
    return {std::make_shared<const plan::MixDraw>(std::move(parts)), seed_, data.shuffle};
  }

  /// Returns how many of some ascending rows are below `end`, by binary search.
  static std::uint64_t rows_below(const Rows& rows, std::uint64_t end) {
    std::uint64_t low = 0;
    std::uint64_t high = rows.size();
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      rows[middle] < end ? low = middle + 1 : high = middle;
    }
    return low;
  }

  /// Returns the weight of a set of a mix; 1 if the recipe gives none.
  static std::uint64_t weight_of(const recipe::MixMember& member) {
    const auto weight = std::visit([](const auto& kind) { return kind.weight; }, member);
    return weight ? static_cast<std::uint64_t>(*weight) : 1;
  }

  bool draws(const std::string& set) const {
    return set == "train" && augmentation_ == Augmentation::drawn;
  }

  Set take(const std::string& name) {
    OpenedSet& opened_set = sets_.at(name);
    return {
        transformed(opened_set.source, opened_set.transforms, seed_, draws(name), "data." + name),
        std::move(opened_set.rows)};
  }

  std::optional<Set> take_if(const std::string& name) {
    return sets_.contains(name) ? std::optional<Set>(take(name)) : std::nullopt;
  }

  std::uint64_t seed_;
  Augmentation augmentation_;
  Opening opening_;
  std::vector<std::pair<recipe::DataSet, std::shared_ptr<const Source>>> opened_;
  std::map<std::string, OpenedSet> sets_;
};

}  // namespace

Set::Set(std::shared_ptr<const Source> source, Rows rows)
    : source_(std::move(source)), rows_(std::move(rows)) {}

void Set::find_rows(std::span<const std::uint64_t> samples, std::vector<std::uint64_t>& out) const {
  out.resize(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) out[i] = rows_[samples[i]];
}

Sets read_sets(const recipe::Data& data, std::uint64_t seed, Augmentation augmentation) {
  Sets sets = SetReader(with_image_classes(data), seed, augmentation).read(data);
  if (data.sampler) {
    const auto weights = sampling_weights(sets.train, *data.sampler);
    sets.order = {std::make_shared<const plan::WeightedDraw>(weights), seed};
  }
  return sets;
}

}  // namespace knead::data
