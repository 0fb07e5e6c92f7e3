#include "runner/engine/job/initial_weights.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/data/web/fetch_recipe.h"
#include "runner/engine/job/joined_weights.h"
#include "runner/engine/job/parameter_names.h"
#include "runner/engine/tensor/tensor_bytes.h"
#include "runner/run/weights_origin.h"
#include "runner/weights/fit.h"
#include "runner/weights/rename.h"
#include "runner/weights/weights.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::engine {
namespace {

using weights::Fit;
using weights::Slot;
using weights::TensorFacts;

/// Holds the tensors of a model that a file fills.
struct Places {
  std::vector<Slot> slots;
  NamedTensors tensors;
  std::set<std::string> others;  // buffers that are not persistent, which a file may lack
};

/// Returns the parameters and persistent buffers of a model.
Places places_of(const model::Model& model) {
  Places places;
  const auto add = [&](const NamedTensor& named) {
    const at::Tensor& tensor = named.tensor;
    Slot slot{{named.name, dtype_word(tensor.scalar_type(), named.name), tensor.sizes().vec()}, {}};
    for (const model::Alias& alias : model.aliases()) {
      if (alias.of == named.name) slot.other_names.push_back(alias.name);
    }
    places.slots.push_back(std::move(slot));
    places.tensors.push_back(named);
  };
  for (const NamedTensor& parameter : model.parameters()) add(parameter);
  for (const model::Buffer& buffer : model.buffers()) {
    if (buffer.persistent) {
      add({buffer.name, buffer.tensor});
    } else {
      places.others.insert(buffer.name);
    }
  }
  return places;
}

/// Returns the tensors of a file under the names that the recipe gives them.
std::vector<TensorFacts> offered(const weights::Weights& file, const recipe::InitialWeights& recipe,
                                 const std::string& words) {
  std::vector<std::string> names;
  for (const weights::StoredTensor& tensor : file.tensors()) names.push_back(tensor.name);
  std::vector<weights::Rename> rules;
  for (const recipe::Rename& rule : recipe.rename) rules.push_back({rule.match, rule.with});
  names = weights::renamed(std::move(names), rules, words);
  std::vector<TensorFacts> facts;
  for (std::size_t i = 0; i < names.size(); ++i)
    facts.push_back({std::move(names[i]), file.tensors()[i].dtype, file.tensors()[i].shape});
  return facts;
}

/// Copies the tensors that fit into the model, one after another.
class Copy {
 public:
  Copy(weights::Weights& file, const Places& places, std::string words)
      : file_(file), places_(places), words_(std::move(words)) {}

  void run(const Fit& fit) {
    for (const Fit::Pair& pair : fit.pairs) {
      files::TensorBytes bytes = file_.read(file_.tensors()[pair.offered]);
      // Pairs are in the order of slots: one that repeats a slot is tied to the tensor before it.
      if (count_ > 0 && pair.slot == slot_) {
        check_same(bytes);
        continue;
      }
      const at::Tensor& tensor = places_.tensors[pair.slot].tensor;
      const c10::NoGradGuard no_gradients;
      tensor.copy_(to_tensor(bytes));
      converted_ += bytes.dtype != places_.slots[pair.slot].facts.dtype;
      ++count_;
      slot_ = pair.slot;
      last_ = std::move(bytes);
    }
    file_.check_unchanged();
  }

  std::string words() const {
    const std::size_t all = places_.slots.size();
    const std::string of = count_ < all ? fmt::format(" of {}", all) : "";
    std::string words = fmt::format("{}: {}{} tensors", words_, count_, of);
    if (converted_ > 0)
      words += fmt::format(", {} of them converted to the model's type", converted_);
    return words;
  }

 private:
  /// Throws knead::Error if two tensors of the file that are one in the model differ.
  void check_same(const files::TensorBytes& bytes) const {
    if (bytes.dtype == last_.dtype && bytes.bytes == last_.bytes) return;
    throw Error(fmt::format("{}: '{}' and '{}' are one tensor in the model, and differ in the file",
                            words_, last_.name, bytes.name),
                "untie them in the model, or save the file from a model that ties them");
  }

  weights::Weights& file_;
  const Places& places_;
  std::string words_;
  std::size_t count_ = 0;
  std::size_t converted_ = 0;
  std::size_t slot_ = 0;
  files::TensorBytes last_;
};

/// Throws knead::Error for weights that do not fit; if the recipe allows that, returns a warning.
std::vector<std::string> judge(const Fit& fit, const Places& places,
                               const std::vector<TensorFacts>& facts,
                               const recipe::InitialWeights& recipe, const std::string& words) {
  if (fit.is_exact()) return {};
  const weights::Misfit misfit = weights::misfit_words(fit, places.slots, facts);
  const std::string counts = weights::counts_in_words(fit);
  if (fit.pairs.empty() || recipe.strict) {
    throw Error(
        fmt::format("the weights of {} do not fit the model: {}{}", words, counts, misfit.lines),
        !misfit.remedy.empty() || fit.pairs.empty()
            ? misfit.remedy
            : "strict: false takes what fits and leaves the rest");
  }
  std::string warning = fmt::format("not all of {} was loaded: {}{}", words, counts, misfit.lines);
  if (!misfit.remedy.empty()) warning += "\n  " + misfit.remedy;
  return {std::move(warning)};
}

/// Returns the download that the recipe names; std::nullopt if it names a path.
std::optional<data::WebFile> web_file(const recipe::InitialWeights& recipe) {
  if (!recipe.url) return std::nullopt;
  return data::WebFile{*recipe.url, recipe.sha256.value()};
}

}  // namespace

InitialWeights load_weights(const model::Model& model, const recipe::InitialWeights& recipe) {
  const auto web = web_file(recipe);
  const run::WeightsOrigin origin = run::find_origin(
      web ? data::fetch(*web, data::web_cache(), data::say_on_stderr) : recipe.from.value());
  weights::Weights file = weights::open_weights(origin.file, recipe.key);
  if (!origin.averages.empty()) file.lay_over(open_joined(origin.averages));
  // A run is known by its id, so that a moved folder is recognised, and one that has trained
  // further; a file only by its content.
  const std::string identity = origin.identity.empty() ? file.digest() : origin.identity;
  const Places places = places_of(model);
  const std::vector<TensorFacts> facts = offered(file, recipe, origin.words);
  const Fit fit = weights::compare(places.slots, facts, places.others);
  std::vector<std::string> warnings = origin.left_out;
  const auto misfits = judge(fit, places, facts, recipe, origin.words);
  warnings.insert(warnings.end(), misfits.begin(), misfits.end());
  Copy copy(file, places, origin.words);
  copy.run(fit);
  return {copy.words(), identity, std::move(warnings)};
}

std::optional<std::string> identity_of(const recipe::InitialWeights& recipe) {
  std::error_code failure;
  const auto web = web_file(recipe);
  const std::filesystem::path from =
      web ? data::place_of(*web, data::web_cache()) : recipe.from.value();
  if (!std::filesystem::exists(from, failure)) return std::nullopt;
  if (schema::is_folder(from)) return run::identity_of_folder(from);
  return weights::open_weights(from, recipe.key).digest();
}

}  // namespace knead::engine
