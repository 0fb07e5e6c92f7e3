#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"
#include "runner/engine/parallel/shards.h"

namespace knead::engine {

/// Lists the modules whose parameters are gathered together.
struct ModelUnits {
  /// Paths of the modules, numbered from 1.
  std::vector<std::string> paths;
  /// The unit of each parameter of the model; 0: in no unit, or tied to a parameter in another one.
  std::vector<std::size_t> of_parameters;
};

/// Chooses the units of a model: the modules that the patterns of distributed.units match; without
/// patterns the children of its lists of modules, or its own children if it has none. Of nested
/// modules the outer one is a unit. Throws as choose_modules().
ModelUnits units_of(const model::Model& model,
                    const std::optional<std::vector<std::string>>& patterns);

/// Gathers and frees the parameters of units as a model computes. After the shards are gone, does
/// nothing.
class UnitGathering final : public model::UnitCalls {
 public:
  explicit UnitGathering(std::weak_ptr<parallel::Shards> shards) : shards_(std::move(shards)) {}

  void need(std::size_t unit) override;
  void forward_done(std::size_t unit) override;
  void backward_done(std::size_t unit) override;

 private:
  std::weak_ptr<parallel::Shards> shards_;
};

}  // namespace knead::engine
