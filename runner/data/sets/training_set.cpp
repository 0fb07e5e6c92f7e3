#include "runner/data/sets/training_set.h"

#include <set>

#include "runner/data/images/image_list.h"
#include "runner/data/images/image_source.h"
#include "runner/data/source/paths.h"

namespace knead::data {

std::vector<std::string> training_classes(recipe::DataSet train) {
  // The set sorts the names, so the numbers do not depend on the order of the sets in a mix.
  std::set<std::string> all;
  for (const recipe::Images* images : all_of_kind<recipe::Images>(train)) {
    if (images->classes) return *images->classes;
    const std::vector<std::string> classes = classes_of(*images);
    all.insert(classes.begin(), classes.end());
  }
  return {all.begin(), all.end()};
}

std::vector<std::int64_t> training_size(recipe::DataSet train) {
  const recipe::Images& images = *all_of_kind<recipe::Images>(train).at(0);
  if (images.size) return *images.size;
  // The source finds the size of the first image exactly as training does.
  const ImageSource source(images);
  const auto& shape = source.fields().at(0).shape;  // (channels, height, width)
  return {static_cast<std::int64_t>(shape.at(1)), static_cast<std::int64_t>(shape.at(2))};
}

std::vector<std::filesystem::path> training_texts(recipe::DataSet train) {
  std::vector<std::filesystem::path> files;
  for (const recipe::Text* text : all_of_kind<recipe::Text>(train)) {
    const auto more = named_files(text->path.value());
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace knead::data
