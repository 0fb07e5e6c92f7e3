#include "runner/run/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/plan/decide.h"
#include "schema/document/count_words.h"
#include "schema/document/quantity.h"
#include "schema/document/scalar.h"
#include "schema/document/source.h"
#include "schema/document/yaml_text.h"

namespace knead::run {
namespace {

using schema::number_text;
using schema::to_string;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// Returns a path relative to the current folder if that is shorter, else the path itself.
std::string path_words(const std::filesystem::path& path) {
  const std::string near = path.lexically_proximate(std::filesystem::current_path()).string();
  return near.size() < path.string().size() ? near : path.string();
}

std::string model_words(const recipe::Model& model) {
  if (model.archive) return path_words(*model.archive);
  const std::string name = model.class_ ? *model.class_ + " of " : "";
  return fmt::format("{}{}, {}", name, path_words(*model.source), schema::flow_as_yaml(model.args));
}

std::string paths_in_words(const std::vector<std::filesystem::path>& paths) {
  if (paths.size() > 1)
    return fmt::format("{} and {} more", path_words(paths[0]), paths.size() - 1);
  return path_words(paths[0]);
}

/// Holds the words on a data set: its files, and the fields of a sample.
struct SetWords {
  std::string files;
  std::string fields;
};

/// Returns the words on a kind of set whose recipe names the fields.
template <class Kind>
SetWords with_fields(std::string files, const Kind& kind) {
  std::string fields;
  for (const auto& [name, field] : kind.fields) fields += (fields.empty() ? "" : ", ") + name;
  return {std::move(files), fields};
}

SetWords words_of(const recipe::Csv& csv) {
  return with_fields("csv " + path_words(csv.path.value()), csv);
}

SetWords words_of(const recipe::Jsonl& jsonl) {
  return with_fields("jsonl " + path_words(jsonl.path.value()), jsonl);
}

SetWords words_of(const recipe::Npz& npz) {
  return with_fields("npz " + path_words(npz.path.value()), npz);
}

SetWords words_of(const recipe::Safetensors& tensors) {
  return with_fields("safetensors " + path_words(tensors.path.value()), tensors);
}

/// Returns the words on a kind of set that has a file per field.
template <class Kind>
SetWords with_files(const char* name, const Kind& kind) {
  std::vector<std::filesystem::path> paths;
  for (const auto& [field, file] : kind.fields) paths.push_back(file.path.value());
  return with_fields(fmt::format("{} {}", name, paths_in_words(paths)), kind);
}

SetWords words_of(const recipe::Npy& npy) { return with_files("npy", npy); }
SetWords words_of(const recipe::Idx& idx) { return with_files("idx", idx); }

SetWords words_of(const recipe::Images& images) {
  return {"images " + path_words(images.path), "image, label"};
}

std::string windows_in_words(const auto& kind) {
  return fmt::format("{} windows of {} tokens", to_string(kind.windows), kind.context);
}

SetWords words_of(const recipe::Text& text) {
  return {"text " + paths_in_words(text.path.value()), windows_in_words(text)};
}

SetWords words_of(const recipe::Tokens& tokens) {
  return {"tokens " + paths_in_words(tokens.path.value()), windows_in_words(tokens)};
}

SetWords words_of(const recipe::Tar& tar) {
  return with_fields("tar " + paths_in_words(tar.path.value()), tar);
}

/// Returns the words on a mix, "mix of text books.txt (3), text poems.txt", with the fields of its
/// first set.
SetWords words_of(const recipe::Mix& mix) {
  SetWords words{"mix of ", ""};
  for (std::size_t i = 0; i < mix.of.size(); ++i) {
    const auto [member, weight] = std::visit(
        [](const auto& kind) { return std::pair(words_of(kind), kind.weight); }, mix.of[i]);
    if (i == 0) words.fields = member.fields;
    words.files += (i == 0 ? "" : ", ") + member.files;
    if (weight) words.files += fmt::format(" ({})", *weight);
  }
  return words;
}

std::string set_words(const recipe::DataSet& set) {
  return std::visit(
      []<class Kind>(const Kind& kind) {
        auto [words, fields] = words_of(kind);
        if constexpr (!std::is_same_v<Kind, recipe::Mix>) {
          if (kind.rows)
            words += fmt::format(", rows {} to {}", to_string(kind.rows->at(0)),
                                 to_string(kind.rows->at(1)));
        }
        if (kind.hold_out)
          words += fmt::format(", {} of {}", to_string(*kind.hold_out), kind.like.value_or(""));
        return words + ": " + fields;
      },
      set);
}

/// Returns the name of a kind of loss as the recipe writes it.
struct LossKind {
  std::string operator()(const recipe::CrossEntropy&) const { return "cross_entropy"; }
  std::string operator()(const recipe::Nll&) const { return "nll"; }
  std::string operator()(const recipe::Mse&) const { return "mse"; }
  std::string operator()(const recipe::L1&) const { return "l1"; }
  std::string operator()(const recipe::SmoothL1&) const { return "smooth_l1"; }
  std::string operator()(const recipe::Huber&) const { return "huber"; }
  std::string operator()(const recipe::BceWithLogits&) const { return "bce_with_logits"; }
  std::string operator()(const recipe::KlDiv&) const { return "kl_div"; }
  std::string operator()(const recipe::PoissonNll&) const { return "poisson_nll"; }
  std::string operator()(const recipe::CosineEmbedding&) const { return "cosine_embedding"; }
  std::string operator()(const recipe::HingeEmbedding&) const { return "hinge_embedding"; }
  std::string operator()(const recipe::MarginRanking&) const { return "margin_ranking"; }
  std::string operator()(const recipe::Ctc&) const { return "ctc"; }
  std::string operator()(const recipe::FromModel&) const { return "the model's own"; }
  std::string operator()(const recipe::ScriptLoss&) const { return "the recipe's own"; }
};

std::string loss_words(const recipe::Loss& loss) {
  const auto target =
      std::visit([](const auto& kind) { return std::optional<std::string>(kind.target); }, loss);
  return std::visit(LossKind{}, loss) + (target ? " of " + *target : "");
}

std::string_view optimizer_name(const recipe::Optimizer& optimizer) {
  return std::visit(Overloaded{[](const recipe::AdamW&) { return "adamw"; },
                               [](const recipe::Adam&) { return "adam"; },
                               [](const recipe::Sgd&) { return "sgd"; },
                               [](const recipe::Adagrad&) { return "adagrad"; },
                               [](const recipe::RmsProp&) { return "rmsprop"; },
                               [](const recipe::NAdam&) { return "nadam"; },
                               [](const recipe::RAdam&) { return "radam"; },
                               [](const recipe::Adamax&) { return "adamax"; },
                               [](const recipe::Adadelta&) { return "adadelta"; },
                               [](const recipe::Lion&) { return "lion"; },
                               [](const recipe::Lamb&) { return "lamb"; },
                               [](const recipe::Adafactor&) { return "adafactor"; },
                               [](const recipe::Muon&) { return "muon"; }},
                    optimizer);
}

std::string optimizer_words(const recipe::Optimizer& optimizer) {
  const auto options = [](const auto& o) {
    std::string words = ", lr " + number_text(o.lr);
    if constexpr (requires { o.momentum; }) words += ", momentum " + number_text(o.momentum);
    if (o.weight_decay != 0) words += ", weight_decay " + number_text(o.weight_decay);
    if (!o.groups.empty()) words += ", " + schema::count_words(o.groups.size(), "group");
    return words;
  };
  return std::string(optimizer_name(optimizer)) + std::visit(options, optimizer);
}

std::string_view schedule_name(const recipe::Schedule& schedule) {
  return std::visit(Overloaded{[](const recipe::ConstantSchedule&) { return "constant"; },
                               [](const recipe::LinearSchedule&) { return "linear"; },
                               [](const recipe::CosineSchedule&) { return "cosine"; },
                               [](const recipe::PolynomialSchedule&) { return "polynomial"; },
                               [](const recipe::ExponentialSchedule&) { return "exponential"; },
                               [](const recipe::StepSchedule&) { return "step"; },
                               [](const recipe::MultistepSchedule&) { return "multistep"; },
                               [](const recipe::InverseSqrtSchedule&) { return "inverse_sqrt"; },
                               [](const recipe::OneCycleSchedule&) { return "one_cycle"; },
                               [](const recipe::WsdSchedule&) { return "wsd"; },
                               [](const recipe::PlateauSchedule&) { return "plateau"; },
                               [](const recipe::PhasesSchedule&) { return "phases"; }},
                    schedule);
}

std::string schedule_words(const recipe::Schedule& schedule) {
  const auto options = [](const auto& s) {
    std::string words;
    if constexpr (requires { s.gamma; }) words += " by " + number_text(s.gamma);
    if constexpr (requires { s.min_factor; }) words += " to " + number_text(s.min_factor);
    if constexpr (requires { s.over; }) words += " over " + to_string(s.over.value());
    if constexpr (requires { s.warmup; }) {
      if (s.warmup) words += ", warm-up " + to_string(*s.warmup);
    }
    return words;
  };
  return std::string(schedule_name(schedule)) + std::visit(options, schedule);
}

std::string average_words(const recipe::Average& average) {
  return std::visit(Overloaded{[](const recipe::Ema& a) {
                                 return fmt::format("ema of {}, every {} from {} on",
                                                    number_text(a.decay), to_string(a.every),
                                                    to_string(a.start));
                               },
                               [](const recipe::Swa& a) {
                                 return fmt::format("swa, every {} from {} on", to_string(a.every),
                                                    to_string(a.start));
                               }},
                    average);
}

std::string early_words(const recipe::EarlyStopping& early) {
  const bool is_high = early.goal.value() == recipe::EarlyStopping::Goal::maximize;
  return fmt::format("when {} is no {} for {}", early.metric.value(), is_high ? "higher" : "lower",
                     to_string(early.patience));
}

std::string evaluate_words(const recipe::Evaluate& evaluate) {
  std::string words =
      fmt::format("every {}, {} at once: loss", to_string(evaluate.every), evaluate.batch.value());
  for (const std::string& name : plan::metric_names(evaluate.metrics)) words += ", " + name;
  return words;
}

/// Returns the words on the precision; empty for fp32, the usual one.
std::string precision_words(const recipe::Precision& precision) {
  using Compute = recipe::Precision::Compute;
  switch (precision.compute) {
    case Compute::fp32: return "";
    case Compute::tf32: return "tf32 on a GPU that has it";
    case Compute::bf16: return "bf16";
    case Compute::fp16: break;
  }
  return fmt::format("fp16, the loss times {} at first", number_text(precision.scaler.init));
}

std::string clip_words(const recipe::Clip& clip) {
  std::string words;
  if (clip.norm) words = "to a norm of " + number_text(*clip.norm);
  if (clip.value)
    words += fmt::format("{}to {} each", words.empty() ? "" : ", ", number_text(*clip.value));
  return words;
}

}  // namespace

std::string summary(const recipe::Recipe& recipe) {
  std::string out = recipe.name + "\n";
  out += summary_line("model", model_words(recipe.model));
  out += summary_line("train", set_words(recipe.data.train));
  if (recipe.data.validation) out += summary_line("validation", set_words(*recipe.data.validation));
  if (recipe.data.test) out += summary_line("test", set_words(*recipe.data.test));
  out += summary_line("loss", loss_words(recipe.loss));
  const std::int64_t ranks = recipe.distributed.ranks.value();
  out += summary_line("batch",
                      fmt::format("{}, {} at once{}", recipe.batch.size, recipe.batch.micro.value(),
                                  ranks > 1 ? fmt::format(" on each of {} ranks", ranks) : ""));
  out += summary_line("optimizer", optimizer_words(recipe.optimizer));
  if (recipe.clip) out += summary_line("clip", clip_words(*recipe.clip));
  out += summary_line("schedule", schedule_words(recipe.schedule));
  if (recipe.average) out += summary_line("average", average_words(*recipe.average));
  out += summary_line("until", to_string(recipe.train.until));
  if (recipe.early_stopping) out += summary_line("or", early_words(*recipe.early_stopping));
  if (recipe.data.validation) out += summary_line("evaluate", evaluate_words(recipe.evaluate));
  const std::string precision = precision_words(recipe.precision);
  if (!precision.empty()) out += summary_line("precision", precision);
  out += summary_line(
      "device",
      fmt::format("{}, {}{}", recipe.device == recipe::Recipe::Device::cuda ? "cuda" : "cpu",
                  schema::count_words(recipe.threads.value(), "thread"),
                  recipe.deterministic.value() ? ", deterministic" : ""));
  if (recipe.activation_checkpointing)
    out += summary_line("recompute",
                        fmt::format("{}", fmt::join(*recipe.activation_checkpointing, ", ")));
  if (recipe.profile)
    out += summary_line("profile", fmt::format("steps {} to {}", recipe.profile->steps[0],
                                               recipe.profile->steps[1]));
  return out + summary_line("folder", path_words(*recipe.output / recipe.name));
}

}  // namespace knead::run
