#pragma once

#include <map>
#include <string>
#include <vector>

namespace knead::front {

/// Declares an option of a verb: a flag, or an option with a value.
struct Option {
  std::string name;                  // without dashes
  std::vector<std::string> choices;  // the allowed values; empty for a flag or a free value
  std::string words;                 // description for the help
  bool required = false;             // the verb needs it; the help shows it without brackets
  std::string value{};               // the placeholder of a free value: "FILE"

  /// Returns whether the option takes a value; otherwise it is a flag.
  bool takes_value() const { return !choices.empty() || !value.empty(); }
};

/// Holds the parsed words that follow the verb on the command line.
struct Arguments {
  std::vector<std::string> files;              // files or keys: neither options nor overrides
  std::vector<std::string> overrides;          // key.path=value
  std::vector<std::string> words;              // files and overrides in the given order
  std::map<std::string, std::string> options;  // name → value; a flag has an empty value

  /// Returns whether an option was given.
  bool has(const std::string& option) const { return options.contains(option); }

  /// Returns the value of an option, or `otherwise` if it was not given.
  std::string get(const std::string& option, const std::string& otherwise) const;
};

/// Parses the words that follow a verb. Throws knead::Error (exit code 2) for an unknown option or
/// value, with the nearest known one as a hint, and for an option that is given twice.
Arguments parse_arguments(const std::string& verb, const std::vector<Option>& options,
                          const std::vector<std::string>& words);

}  // namespace knead::front
