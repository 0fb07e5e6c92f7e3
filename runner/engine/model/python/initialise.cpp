#include "runner/engine/model/python/initialise.h"

#include <fmt/format.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/syntax/parse.h"

namespace knead::engine::model {
namespace {

/// Returns a number as source text; 17 digits keep every bit of a double.
std::string number(double value) { return fmt::format("{:.17g}", value); }

std::string call_of(const recipe::NormalInit& init) {
  return fmt::format("normal_(parameter, {}, {})", number(init.mean), number(init.std));
}

std::string call_of(const recipe::TruncNormalInit& init) {
  return fmt::format("trunc_normal_(parameter, {}, {}, {}, {})", number(init.mean),
                     number(init.std), number(init.low), number(init.high));
}

std::string call_of(const recipe::UniformInit& init) {
  return fmt::format("uniform_(parameter, {}, {})", number(init.low), number(init.high));
}

std::string call_of(const char* function, const recipe::GainInit& init) {
  return fmt::format("{}(parameter, {})", function, number(init.gain));
}

std::string call_of(const char* function, const recipe::KaimingInit& init) {
  return fmt::format("{}(parameter, {}, '{}', '{}')", function, number(init.a),
                     to_string(init.mode), to_string(init.nonlinearity));
}

/// Returns the call of torch.nn.init as source. A checked recipe sets exactly one kind of rule.
std::string call_of(const recipe::Initialisation& rule) {
  if (rule.normal) return call_of(*rule.normal);
  if (rule.trunc_normal) return call_of(*rule.trunc_normal);
  if (rule.uniform) return call_of(*rule.uniform);
  if (rule.xavier_uniform) return call_of("xavier_uniform_", *rule.xavier_uniform);
  if (rule.xavier_normal) return call_of("xavier_normal_", *rule.xavier_normal);
  if (rule.kaiming_uniform) return call_of("kaiming_uniform_", *rule.kaiming_uniform);
  if (rule.kaiming_normal) return call_of("kaiming_normal_", *rule.kaiming_normal);
  if (rule.orthogonal) return call_of("orthogonal_", *rule.orthogonal);
  return fmt::format("constant_(parameter, {})", number(rule.constant.value()));
}

}  // namespace

struct Initialiser::Parts {
  Program program;
  Evaluator evaluator{program, ""};
};

Initialiser::Initialiser() : parts_(std::make_unique<Parts>()) { add_builtins(parts_->evaluator); }
Initialiser::~Initialiser() = default;

void Initialiser::fill(const at::Tensor& parameter, const recipe::Initialisation& rule) {
  // The layer file init.py implements the functions, so the rule runs as source.
  const std::string text = "from torch.nn import init\ninit." + call_of(rule) + "\n";
  const auto source = std::make_shared<schema::Source>("model.init", "", text);
  const auto globals = std::make_shared<Scope>();
  globals->set("parameter", parameter);
  parts_->evaluator.run(syntax::parse(source), "model.init", globals);
}

bool needs_matrix(const recipe::Initialisation& rule) {
  return rule.xavier_uniform || rule.xavier_normal || rule.kaiming_uniform || rule.kaiming_normal ||
         rule.orthogonal;
}

}  // namespace knead::engine::model
