#include "runner/engine/optimize/make_optimizer.h"

#include <type_traits>
#include <variant>

#include "runner/engine/optimize/kinds.h"

namespace knead::engine::optimize {
namespace {

/// Overrides an option of the optimizer if the group writes it.
constexpr auto kTake = [](auto& option, const auto& written) {
  if (written) option = *written;
};

/// Returns the options of an optimizer, overridden by those that a group writes. Each kind of
/// optimizer has some of them.
template <class Options, class Written>
Options with(Options options, const Written& group) {
  if constexpr (requires { group.betas; }) kTake(options.betas, group.betas);
  if constexpr (requires { group.eps; }) kTake(options.eps, group.eps);
  if constexpr (requires { group.amsgrad; }) kTake(options.amsgrad, group.amsgrad);
  if constexpr (requires { group.momentum; }) kTake(options.momentum, group.momentum);
  if constexpr (requires { group.dampening; }) kTake(options.dampening, group.dampening);
  if constexpr (requires { group.nesterov; }) kTake(options.nesterov, group.nesterov);
  if constexpr (requires { group.lr_decay; }) kTake(options.lr_decay, group.lr_decay);
  if constexpr (requires { group.alpha; }) kTake(options.alpha, group.alpha);
  if constexpr (requires { group.centered; }) kTake(options.centered, group.centered);
  if constexpr (requires { group.rho; }) kTake(options.rho, group.rho);
  if constexpr (requires { group.beta2_decay; }) kTake(options.beta2_decay, group.beta2_decay);
  if constexpr (requires { group.d; }) kTake(options.d, group.d);
  if constexpr (requires { group.ns_steps; }) kTake(options.ns_steps, group.ns_steps);
  if constexpr (requires { group.momentum_decay; })
    kTake(options.momentum_decay, group.momentum_decay);
  if constexpr (requires { group.decoupled_weight_decay; })
    kTake(options.decoupled_weight_decay, group.decoupled_weight_decay);
  if constexpr (requires { group.initial_accumulator_value; })
    kTake(options.initial_accumulator_value, group.initial_accumulator_value);
  if constexpr (requires { group.ns_coefficients; })
    kTake(options.ns_coefficients, group.ns_coefficients);
  kTake(options.weight_decay, group.weight_decay);
  return options;
}

template <class Options, class Written>
MadeRule rule_of(const Options& options, const Written& group) {
  return make_rule(with(options, group));
}

/// Makes the rule of a group of Muon, the only kind that may leave a group to another: to AdamW.
MadeRule rule_of(const recipe::Muon& options, const recipe::MuonGroup& group) {
  if (group.adamw) {
    return make_rule(recipe::AdamW{.lr = options.lr,
                                   .betas = group.adamw->betas,
                                   .eps = group.adamw->eps,
                                   .weight_decay = group.adamw->weight_decay,
                                   .amsgrad = group.adamw->amsgrad,
                                   .groups = {}});
  }
  recipe::Muon own = with(options, group);
  if (group.adjust_lr_fn)  // both enumerations hold the same words
    own.adjust_lr_fn = static_cast<recipe::Muon::AdjustLrFn>(*group.adjust_lr_fn);
  return make_rule(own);
}

/// Returns the learning rate of a group: its own, or that of the optimizer times lr_scale.
template <class Written>
double rate_of_group(double lr, const Written& group) {
  if (group.lr) return *group.lr;
  return group.lr_scale ? lr * *group.lr_scale : lr;
}

/// Makes an optimizer of any kind.
struct Make {
  const NamedTensors& parameters;
  const std::vector<Names>& names;
  const std::vector<OwnedPiece>& pieces;

  template <class Options>
  std::unique_ptr<Optimizer> operator()(const Options& options) const {
    std::vector<Selector> selectors;
    std::vector<Group> groups;
    for (const auto& group : options.groups) {
      selectors.push_back({group.match, group.ndim_below, group.ndim_at_least});
      groups.push_back(
          {selectors.back().words(), rate_of_group(options.lr, group), rule_of(options, group)});
    }
    // assign() gives the index behind the last selector to parameters that no selector fits.
    groups.push_back({"", options.lr, make_rule(options)});
    const std::vector<std::size_t> group_of = assign(selectors, parameters, names);
    NamedTensors tensors;
    std::vector<std::size_t> group_of_piece;
    for (const OwnedPiece& piece : pieces) {
      tensors.push_back(piece.tensor);
      group_of_piece.push_back(group_of[piece.parameter]);
    }
    return std::make_unique<Optimizer>(tensors, std::move(groups), std::move(group_of_piece));
  }
};

template <class Options>
constexpr bool kNeedsWholeTensors =
    std::is_same_v<Options, recipe::Lamb> || std::is_same_v<Options, recipe::Adafactor> ||
    std::is_same_v<Options, recipe::Muon>;

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters,
                                          const std::vector<Names>& names,
                                          const std::vector<OwnedPiece>& pieces) {
  return std::visit(Make{parameters, names, pieces}, optimizer);
}

std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters,
                                          const std::vector<Names>& names) {
  std::vector<OwnedPiece> whole;
  for (std::size_t i = 0; i < parameters.size(); ++i) whole.push_back({parameters[i], i});
  return make_optimizer(optimizer, parameters, names, whole);
}

bool needs_whole_tensors(const recipe::Optimizer& optimizer) {
  return std::visit([]<class Options>(const Options&) { return kNeedsWholeTensors<Options>; },
                    optimizer);
}

std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters) {
  std::vector<Names> names;
  for (const NamedTensor& parameter : parameters) names.push_back({parameter.name});
  return make_optimizer(optimizer, parameters, names);
}

double rate_of(const recipe::Optimizer& optimizer) {
  return std::visit([](const auto& kind) { return kind.lr; }, optimizer);
}

}  // namespace knead::engine::optimize
