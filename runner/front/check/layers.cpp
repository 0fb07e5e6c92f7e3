#include "runner/front/check/layers.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "runner/front/check/own_attributes.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/layer_texts.h"
#include "runner/syntax/parse.h"

namespace knead::front {
namespace {

// Names of torch.nn that the engine provides outside of the embedded text.
constexpr std::array<std::string_view, 14> kOthers{
    "Module",        "Sequential", "ModuleList", "ModuleDict", "ParameterList",
    "ParameterDict", "Parameter",  "Buffer",     "functional", "init",
    "modules",       "parameter",  "utils",      "parallel"};

constexpr std::string_view kClass = "\nclass ";

/// Maps the name of each class to the offset of its text.
const std::map<std::string_view, std::size_t>& classes() {
  static const auto all = [] {
    std::map<std::string_view, std::size_t> places;
    const std::string_view text = syntax::nn_text;
    for (std::size_t at = 0; (at = text.find(kClass, at)) != text.npos;) {
      const std::size_t name = at + kClass.size();
      places.emplace(text.substr(name, text.find_first_of("(:", name) - name), at + 1);
      at = name;
    }
    return places;
  }();
  return all;
}

/// Returns whether the text binds a name by an assignment or a function.
bool is_assigned(std::string_view name) {
  return syntax::nn_text.find(fmt::format("\n{} = ", name)) != std::string_view::npos ||
         syntax::nn_text.find(fmt::format("\ndef {}(", name)) != std::string_view::npos;
}

/// Returns the text of the class at `begin`, up to the next line that is not indented.
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

/// Returns the parsed class whose text begins at `begin`; parses it at the first call.
const syntax::Class& parsed(std::size_t begin) {
  static std::map<std::size_t, std::shared_ptr<const syntax::File>> files;
  // Only the classes that a model uses are parsed, because lint has to answer in milliseconds.
  std::shared_ptr<const syntax::File>& file = files[begin];
  if (!file) {
    const std::string text(class_text(begin));
    file = syntax::parse(std::make_shared<schema::Source>("torch.nn", "", text + "\n"));
  }
  return *syntax::classes_of(*file).at(0);
}

}  // namespace

bool has_layer(std::string_view name) {
  return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end() ||
         classes().contains(name) || is_assigned(name);
}

Init init_of_layer(const std::string& name) {
  constexpr int kMostSteps = 16;  // from class to base
  std::string at = name;
  for (int step = 0; step < kMostSteps; ++step) {
    const auto place = classes().find(at);
    if (place == classes().end()) return {};
    const syntax::Class& one = parsed(place->second);
    if (!one.decorators.empty()) return {};
    if (const syntax::Function* own = method_of(one, "__init__")) return {own, one.name};
    if (one.bases.size() != 1) return {};
    at = syntax::dotted_name(one.bases[0]);
  }
  return {};
}

std::vector<std::string_view> layer_names() {
  std::vector<std::string_view> names(kOthers.begin(), kOthers.begin() + 7);
  for (const auto& [name, place] : classes()) {
    if (!name.starts_with('_')) names.push_back(name);
  }
  return names;
}

}  // namespace knead::front
