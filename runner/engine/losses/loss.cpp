#include "runner/engine/losses/loss.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/losses/ctc.h"
#include "runner/engine/losses/elementwise.h"
#include "runner/engine/losses/likelihood.h"
#include "runner/engine/losses/pairs.h"
#include "runner/engine/losses/script.h"
#include "schema/document/error.h"

namespace knead::engine::losses {
namespace {

/// Makes a loss of any kind; those without an overload of their own are elementwise.
struct Make {
  const std::vector<std::string>& fields;

  std::unique_ptr<Loss> operator()(const recipe::CrossEntropy& options) const {
    return make_cross_entropy(options);
  }
  std::unique_ptr<Loss> operator()(const recipe::Nll& options) const { return make_nll(options); }
  std::unique_ptr<Loss> operator()(const recipe::Ctc& options) const { return make_ctc(options); }
  std::unique_ptr<Loss> operator()(const recipe::CosineEmbedding& options) const {
    return make_cosine_embedding(options);
  }
  std::unique_ptr<Loss> operator()(const recipe::MarginRanking& options) const {
    return make_margin_ranking(options);
  }
  std::unique_ptr<Loss> operator()(const recipe::FromModel&) const { return make_from_model(); }
  std::unique_ptr<Loss> operator()(const recipe::ScriptLoss& options) const {
    return make_script_loss(options, fields);
  }
  std::unique_ptr<Loss> operator()(const auto& options) const { return make_elementwise(options); }
};

}  // namespace

std::unique_ptr<Loss> make_loss(const recipe::Loss& loss, const std::vector<std::string>& fields) {
  auto made = std::visit(Make{fields}, loss);
  // Checked here for all kinds: each names fields under options of its own.
  for (const std::string& name : made->fields()) {
    if (std::find(fields.begin(), fields.end(), name) != fields.end()) continue;
    throw Error(fmt::format("the data has no field '{}', which loss names", name),
                fmt::format("its fields are: {}", fmt::join(fields, ", ")), Exit::invalid_recipe);
  }
  return made;
}

std::string target_of(const recipe::Loss& loss) {
  const auto target =
      std::visit([](const auto& kind) { return std::optional<std::string>(kind.target); }, loss);
  return target ? std::string(*target) : "";
}

}  // namespace knead::engine::losses
