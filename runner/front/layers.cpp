#include "runner/front/layers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/front/own_attributes.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/layer_texts.h"
#include "runner/syntax/parse.h"

namespace knead::front {
namespace {

// What the engine gives to torch.nn besides.
constexpr std::array<std::string_view, 14> kOthers{
    "Module",        "Sequential", "ModuleList", "ModuleDict", "ParameterList",
    "ParameterDict", "Parameter",  "Buffer",     "functional", "init",
    "modules",       "parameter",  "utils",      "parallel"};

constexpr std::string_view kClass = "\nclass ";

/// Where the text of a class begins; npos where there is none.
std::size_t begin_of(std::string_view name) {
  for (const char after : {'(', ':'}) {
    const std::size_t found = syntax::nn_text.find(fmt::format("{}{}{}", kClass, name, after));
    if (found != std::string_view::npos) return found + 1;
  }
  return std::string_view::npos;
}

/// Whether the text gives a value to the name in another way.
bool is_assigned(std::string_view name) {
  return syntax::nn_text.find(fmt::format("\n{} = ", name)) != std::string_view::npos ||
         syntax::nn_text.find(fmt::format("\ndef {}(", name)) != std::string_view::npos;
}

/// Up to the next line that is not indented.
std::string_view class_text(std::size_t begin) {
  const std::string_view text = syntax::nn_text;
  std::size_t end = text.find('\n', begin);
  while (end != text.npos && end + 1 < text.size()) {
    const char first = text[end + 1];
    if (first != ' ' && first != '\n') break;
    end = text.find('\n', end + 1);
  }
  return text.substr(begin, std::min(end, text.size()) - begin);
}

}  // namespace

bool Layers::has(std::string_view name) const {
  return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end() ||
         begin_of(name) != std::string_view::npos || is_assigned(name);
}

Init Layers::init(const std::string& name) {
  constexpr int kMostSteps = 16;  // from class to base
  std::string at = name;
  for (int step = 0; step < kMostSteps; ++step) {
    const std::size_t begin = begin_of(at);
    if (begin == std::string_view::npos) return {};
    const std::string text(class_text(begin));
    parsed_.push_back(syntax::parse(std::make_shared<schema::Source>("torch.nn", "", text + "\n")));
    const syntax::Class& one = *syntax::classes_of(*parsed_.back()).at(0);
    if (!one.decorators.empty()) return {};
    if (const syntax::Function* own = method_of(one, "__init__")) return {own, one.name};
    if (one.bases.size() != 1) return {};
    at = syntax::dotted_name(one.bases[0]);
  }
  return {};
}

std::vector<std::string_view> Layers::names() const {
  std::vector<std::string_view> names(kOthers.begin(), kOthers.begin() + 7);
  const std::string_view text = syntax::nn_text;
  for (std::size_t at = 0; (at = text.find(kClass, at)) != text.npos;) {
    at += kClass.size();
    const std::string_view name = text.substr(at, text.find_first_of("(:", at) - at);
    if (!name.starts_with('_')) names.push_back(name);
  }
  return names;
}

}  // namespace knead::front
