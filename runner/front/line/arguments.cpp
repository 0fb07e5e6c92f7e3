#include "runner/front/line/arguments.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "runner/front/line/guesses.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

namespace po = boost::program_options;

Error wrong_usage(const std::string& message, const std::string& verb,
                  const std::string& hint = "") {
  const std::string help = fmt::format("'knead help {}' shows what it takes", verb);
  return Error(message, hint.empty() ? help : hint, Exit::invalid_recipe);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known,
                         std::string_view dashes = "") {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string_view near = schema::nearest(word, candidates);
  return near.empty() ? "" : fmt::format("did you mean '{}{}'?", dashes, near);
}

/// Returns whether a word is an override as `batch.size=64`, and not a file with '=' in its path.
bool is_override(const std::string& word) {
  const std::size_t equals = word.find('=');
  // A path may contain '=' ("runs/lr=0.1"), and keys have no slash.
  if (equals == std::string::npos || schema::is_there(word)) return false;
  return word.find('/') > equals;
}

void check_choice(const std::string& verb, const Option& option, const std::string& value) {
  if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end())
    return;
  const std::string near = did_you_mean(value, option.choices);
  throw wrong_usage(fmt::format("--{} of '{}' cannot be '{}'", option.name, verb, value), verb,
                    fmt::format("{}{}{}", near, near.empty() ? "" : " ",
                                fmt::format("one of {}", fmt::join(option.choices, ", "))));
}

std::string bare_name(std::string option) {
  option.erase(0, option.find_first_not_of('-'));
  return option.substr(0, option.find('='));
}

}  // namespace

std::string Arguments::get(const std::string& option, const std::string& otherwise) const {
  const auto found = options.find(option);
  return found == options.end() ? otherwise : found->second;
}

Arguments parse_arguments(const std::string& verb, const std::vector<Option>& options,
                          const std::vector<std::string>& words, bool takes_overrides) {
  po::options_description known;
  std::vector<std::string> names;
  for (const Option& option : options) {
    names.push_back(option.name);
    if (option.takes_value()) {
      known.add_options()(option.name.c_str(), po::value<std::string>(), "");
    } else {
      known.add_options()(option.name.c_str(), "");
    }
  }
  known.add_options()("words", po::value<std::vector<std::string>>(), "");
  po::positional_options_description positions;
  positions.add("words", -1);

  Arguments out;
  try {
    // Options are not abbreviated: a prefix that is unique now is ambiguous once an option is
    // added.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::variables_map given;
    po::store(
        po::command_line_parser(words).options(known).positional(positions).style(style).run(),
        given);
    for (const Option& option : options) {
      if (!given.contains(option.name)) continue;
      const std::string value = option.takes_value() ? given[option.name].as<std::string>() : "";
      if (!option.choices.empty()) check_choice(verb, option, value);
      out.options[option.name] = value;
    }
    if (given.contains("words")) {
      out.words = given["words"].as<std::vector<std::string>>();
      for (const std::string& word : out.words) {
        (is_override(word) ? out.overrides : out.files).push_back(word);
      }
    }
  } catch (const po::unknown_option& unknown) {
    const std::string name = unknown.get_option_name();
    const std::string hint = did_you_mean(bare_name(name), names, "--");
    throw wrong_usage(fmt::format("'{}' does not know the option '{}'", verb, name), verb,
                      hint.empty() && takes_overrides ? override_hint(name, words) : hint);
  } catch (const po::multiple_occurrences& twice) {
    throw wrong_usage(fmt::format("'--{}' is given twice", bare_name(twice.get_option_name())),
                      verb);
  } catch (const po::error_with_option_name& wrong) {
    const std::string name = bare_name(wrong.get_option_name());
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& known_one) {
      return known_one.name == name;
    });
    const bool takes_value = option != options.end() && option->takes_value();
    throw wrong_usage(takes_value
                          ? fmt::format("'--{}' needs a value: {}", name,
                                        option->choices.empty()
                                            ? option->value
                                            : fmt::format("{}", fmt::join(option->choices, " or ")))
                          : fmt::format("'--{}' takes no value", name),
                      verb);
  } catch (const po::error& wrong) {
    throw wrong_usage(fmt::format("'{}' cannot read its arguments: {}", verb, wrong.what()), verb);
  }
  return out;
}

}  // namespace knead::front
