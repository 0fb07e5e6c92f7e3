#include "runner/data/sets/set_like_train.h"

#include "runner/data/sets/open.h"
#include "runner/data/sets/selection.h"
#include "runner/data/sets/training_set.h"
#include "runner/data/transforms/transformed_source.h"

namespace knead::data {

Set read_set_like_train(const recipe::DataSet& set, const recipe::DataSet& train,
                        std::uint64_t seed, std::shared_ptr<const Tokenizer> tokenizer) {
  // The keys are those of data.train, so messages name what a person can change.
  const std::string name = "data.train";
  recipe::DataSet keys = without_selection(set);
  // The model was trained on images of one size, also if the recipe left it to the first image; the
  // images of this set must be scaled to it.
  for (recipe::Images* images : all_of_kind<recipe::Images>(keys)) {
    images->size = training_size(train);
    const std::vector<std::string> classes = training_classes(train);
    if (!classes.empty()) images->classes = classes;
  }
  Opening opening;
  opening.seed = seed;
  opening.set = name;
  if (const auto texts = all_of_kind<recipe::Text>(keys); tokenizer && !texts.empty()) {
    opening.tokenizer = std::move(tokenizer);
    opening.tokenizer_options = texts[0]->tokenizer;
  } else {
    opening.alphabet = training_texts(train);
  }
  auto source = open(keys, opening);
  Rows rows = select_rows(name, keys, {}, source->rows());
  return {transformed(std::move(source), transforms_of(set), seed, false, name,
                      /*has_all_fields=*/false),
          std::move(rows)};
}

}  // namespace knead::data
