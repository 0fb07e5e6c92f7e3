#include "runner/engine/model/explain/module_words.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace knead::engine::model {
namespace {

/// A setting that is shown only if its value differs from the default of the layer.
struct Extra {
  std::string_view setting;
  std::string_view words;  // {} stands for the value
  double usual;            // the default, not shown; applies to each of several numbers
};

/// The description of some layer types.
struct Rule {
  std::vector<std::string_view> types;
  std::string_view words;  // {name} stands for a setting
  std::vector<Extra> extras{};
};

const std::vector<Rule>& rules() {
  static const std::vector<Extra> recurrent{
      {"num_layers", "{} layers", 1}, {"bidirectional", "both ways", 0}, {"dropout", "p {}", 0}};
  static const std::vector<Extra> windows{{"stride", "stride {}", 1}, {"padding", "padding {}", 0}};
  static const std::vector<Rule> all{
      {{"Linear"}, "{in_features} → {out_features}"},
      {{"Bilinear"}, "{in1_features} × {in2_features} → {out_features}"},
      {{"Embedding", "EmbeddingBag"}, "{num_embeddings} × {embedding_dim}"},
      {{"Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"},
       "{in_channels} → {out_channels}, {kernel_size}",
       {{"stride", "stride {}", 1},
        {"padding", "padding {}", 0},
        {"dilation", "dilation {}", 1},
        {"groups", "{} groups", 1}}},
      {{"BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d",
        "InstanceNorm3d"},
       "{num_features}"},
      {{"LayerNorm", "RMSNorm"}, "{normalized_shape}"},
      {{"GroupNorm"}, "{num_channels} in {num_groups} groups"},
      {{"Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"},
       "{p}"},
      {{"MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d"},
       "{kernel_size}",
       windows},
      {{"AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d"},
       "{output_size}"},
      {{"RNN", "LSTM", "GRU"}, "{input_size} → {hidden_size}", recurrent},
      {{"MultiheadAttention"}, "{embed_dim}, {num_heads} heads"},
      {{"PixelShuffle"}, "{upscale_factor}"},
      {{"Softmax", "LogSoftmax"}, "{dim}"},
  };
  return all;
}

/// Returns a setting as text; several numbers are joined: 3×3.
std::string text_of(const Setting& setting) {
  if (const auto* flag = std::get_if<bool>(&setting)) return *flag ? "yes" : "no";
  if (const auto* number = std::get_if<std::int64_t>(&setting)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&setting)) return fmt::format("{:g}", *number);
  return fmt::format("{}", fmt::join(std::get<std::vector<std::int64_t>>(setting), "×"));
}

/// Returns whether a setting has the default value.
bool is_usual(const Setting& setting, double usual) {
  if (const auto* several = std::get_if<std::vector<std::int64_t>>(&setting))
    return std::all_of(several->begin(), several->end(),
                       [&](std::int64_t each) { return static_cast<double>(each) == usual; });
  return std::visit(
      [&](const auto& value) {
        if constexpr (requires { static_cast<double>(value); })
          return static_cast<double>(value) == usual;
        else
          return false;
      },
      setting);
}

/// Replaces each {name} by its setting. Returns std::nullopt if a setting is missing, because
/// archives do not hold all of them.
std::optional<std::string> filled(std::string_view words, const Settings& settings) {
  std::string out;
  while (!words.empty()) {
    const std::size_t open = words.find('{');
    out += words.substr(0, open);
    if (open == words.npos) break;
    const std::size_t close = words.find('}');
    const auto found = settings.find(words.substr(open + 1, close - open - 1));
    if (found == settings.end()) return std::nullopt;
    out += text_of(found->second);
    words.remove_prefix(close + 1);
  }
  return out;
}

/// Shortens a list of equal numbers to one number: stride (2, 2) becomes stride 2.
Setting shortened(const Setting& setting) {
  const auto* several = std::get_if<std::vector<std::int64_t>>(&setting);
  const bool are_equal = several && !several->empty() &&
                         std::all_of(several->begin(), several->end(),
                                     [&](std::int64_t each) { return each == several->front(); });
  return are_equal ? Setting(several->front()) : setting;
}

}  // namespace

std::string module_words(std::string_view type, const Settings& settings) {
  const auto rule = std::find_if(rules().begin(), rules().end(), [&](const Rule& each) {
    return std::find(each.types.begin(), each.types.end(), type) != each.types.end();
  });
  // A class of the user may have any attributes, so only known layers are described.
  if (rule == rules().end()) return "";
  auto words = filled(rule->words, settings);
  if (!words) return "";
  for (const Extra& extra : rule->extras) {
    const auto found = settings.find(extra.setting);
    if (found == settings.end() || is_usual(found->second, extra.usual)) continue;
    const std::string value = text_of(shortened(found->second));
    *words += ", " + fmt::format(fmt::runtime(extra.words), value);
  }
  return *words;
}

}  // namespace knead::engine::model
