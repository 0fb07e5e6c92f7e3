#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recipe/transforms.h"
#include "runner/data/source/source.h"
#include "runner/data/transforms/transform.h"

namespace knead::data {

/// Transforms the samples of another source one by one while they are read. Random draws are a
/// function of seed, epoch, position in the epoch and position in the list of transforms. They
/// depend on the position and not on the sample, so that a sample that occurs twice in an epoch is
/// transformed differently, and not on the field, so that an image and its mask are cropped alike.
/// Fields without transforms are passed through.
class TransformedSource final : public Source {
 public:
  /// `key`: the list of transforms in messages, "data.train.transforms". `is_training`: false
  /// leaves the random draws out, see apply(). `has_all_fields`: false if the source lacks fields
  /// of the recipe, so that a transform that names no field and fits none is of one of those.
  /// Throws knead::Error if a transform that names no field fits none or several, or if a named
  /// field does not exist or does not fit.
  TransformedSource(std::shared_ptr<const Source> source, std::vector<recipe::Transform> transforms,
                    std::uint64_t seed, bool is_training, const std::string& key,
                    bool has_all_fields = true);

  std::uint64_t rows() const override { return source_->rows(); }
  const std::vector<Field>& fields() const override { return fields_; }
  /// Allocates memory for each sample while it works on it. Throws knead::Error with transform and
  /// sample if a number does not fit.
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  /// Describes the application of a transform to one field.
  struct Step {
    std::uint32_t transform = 0;  // index in the list of transforms
    Field after;
    std::string name;  // for messages: "data.train.transforms.1 (crop)"
  };

  /// Adds the transform with this index to the steps of its fields.
  void add(std::uint32_t transform, const std::string& key);
  /// Returns the indices of the fields that a transform applies to.
  std::vector<std::size_t> places_of(const recipe::Transform& transform,
                                     const std::string& name) const;
  /// Applies a step to row `i` of a request. Adds the sample to the message of an error.
  void transform(const Step& step, const Request& request, std::uint64_t i, Value& value) const;

  std::shared_ptr<const Source> source_;
  std::vector<recipe::Transform> transforms_;
  std::uint64_t seed_;
  bool is_training_;
  bool has_all_fields_;
  std::vector<Field> fields_;
  std::vector<std::vector<Step>> steps_;  // by field
};

/// Returns a source of the transformed samples; `source` itself if there are no transforms. `set`:
/// for messages, "data.train". Throws knead::Error as the constructor of TransformedSource does.
std::shared_ptr<const Source> transformed(std::shared_ptr<const Source> source,
                                          const std::vector<recipe::Transform>& transforms,
                                          std::uint64_t seed, bool is_training,
                                          const std::string& set, bool has_all_fields = true);

}  // namespace knead::data
