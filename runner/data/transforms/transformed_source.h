#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/source/source.h"
#include "runner/data/transforms/transform.h"

namespace knead::data {

/// The samples of another source, transformed one by one while they are read. What is drawn is a
/// function of (seed, epoch, place in the epoch, place in the list of transforms): of the place and
/// not of the sample, so that one that is drawn twice in an epoch is not the same twice.
class TransformedSource final : public Source {
 public:
  /// `key`: what the list of transforms is called in messages, "data.train.transforms".
  /// Throws knead::Error where a transform fits none of the fields, several, or not the one named.
  TransformedSource(std::shared_ptr<const Source> source, std::vector<recipe::Transform> transforms,
                    std::uint64_t seed, bool is_training, const std::string& key);

  std::uint64_t rows() const override { return source_->rows(); }
  const std::vector<Field>& fields() const override { return fields_; }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  /// A transform of one field.
  struct Step {
    std::uint32_t transform = 0;  // its place in the list
    Field after;
    std::string name;  // for messages: "data.train.transforms.1 (crop)"
  };

  void add(std::uint32_t transform, const std::string& key);
  std::vector<std::size_t> places_of(const recipe::Transform& transform,
                                     const std::string& name) const;
  void transform(const Step& step, const Request& request, std::uint64_t i, Value& value) const;

  std::shared_ptr<const Source> source_;
  std::vector<recipe::Transform> transforms_;
  std::uint64_t seed_;
  bool is_training_;
  std::vector<Field> fields_;
  std::vector<std::vector<Step>> steps_;  // by field
};

/// A set's samples as they are after its transforms; the source itself where it has none. `set`:
/// "data.train".
std::shared_ptr<const Source> transformed(std::shared_ptr<const Source> source,
                                          const std::vector<recipe::Transform>& transforms,
                                          std::uint64_t seed, bool is_training,
                                          const std::string& set);

}  // namespace knead::data
