#include "runner/data/sets/image_classes.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "runner/data/images/image_list.h"
#include "runner/data/sets/training_set.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

bool has_numbered_images(recipe::DataSet& set) {
  const auto all = all_of_kind<recipe::Images>(set);
  return std::any_of(all.begin(), all.end(),
                     [](const recipe::Images* images) { return labels_are_numbers(*images); });
}

/// Returns whether each class is named by its number: "0", "1", "2". Holds for no classes too.
bool are_their_numbers(const std::vector<std::string>& classes) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] != std::to_string(i)) return false;
  }
  return true;
}

/// Throws knead::Error if a set names classes by words or folders, whose sorted order would number
/// them, although the training images give the numbers without names.
void expect_numbered_images(const std::string& name, recipe::DataSet& set) {
  for (const recipe::Images* images : all_of_kind<recipe::Images>(set)) {
    if (images->classes || are_their_numbers(classes_of(*images))) continue;
    throw Error(fmt::format("the images of data.train are labelled by numbers, and those of "
                            "data.{} by names",
                            name),
                fmt::format("label both alike, or write classes in data.{}: its names in the order "
                            "of the numbers, from 0",
                            name));
  }
}

}  // namespace

recipe::Data with_image_classes(recipe::Data data) {
  const std::vector<std::string> classes = training_classes(data.train);
  const bool has_other_sets = data.validation || data.test;
  if (classes.empty() && has_other_sets && has_numbered_images(data.train)) {
    if (data.validation) expect_numbered_images("validation", *data.validation);
    if (data.test) expect_numbered_images("test", *data.test);
  }
  if (classes.empty()) return data;
  for (recipe::DataSet* set : {&data.train, data.validation ? &*data.validation : nullptr,
                               data.test ? &*data.test : nullptr}) {
    for (recipe::Images* images :
         set ? all_of_kind<recipe::Images>(*set) : std::vector<recipe::Images*>()) {
      if (!images->classes) images->classes = classes;
    }
  }
  return data;
}

}  // namespace knead::data
