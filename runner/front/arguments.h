#pragma once

#include <map>
#include <string>
#include <vector>

namespace knead::front {

/// An option of a verb: a flag, or with a value.
struct Option {
  std::string name;                  // without dashes
  std::vector<std::string> choices;  // the values it takes; empty: a flag, or any `value`
  std::string words;                 // what it does
  bool required = false;             // the verb refuses to go without it
  std::string value{};               // what it takes where that is no choice: "FILE"

  bool takes_value() const { return !choices.empty() || !value.empty(); }
};

/// What follows the verb on the command line.
struct Arguments {
  std::vector<std::string> files;      // or keys: what is no option and no override
  std::vector<std::string> overrides;  // key.path=value
  std::vector<std::string> words;      // both, in the order they were given
  std::map<std::string, std::string> options;

  bool has(const std::string& option) const { return options.contains(option); }

  /// The value of an option, or `otherwise` where it was not given.
  std::string get(const std::string& option, const std::string& otherwise) const;
};

/// Throws knead::Error (exit code 2) for an option or value that is unknown, with the nearest known
/// one.
Arguments parse_arguments(const std::string& verb, const std::vector<Option>& options,
                          const std::vector<std::string>& words);

}  // namespace knead::front
