#pragma once

#include <map>
#include <string>
#include <vector>

namespace knead::front {

/// Declares an option of a verb: a flag, or an option with a value.
struct Option {
  std::string name;  // without dashes
  /// The allowed values. Empty for a flag, or if any value is allowed (then `value` is set).
  std::vector<std::string> choices;
  std::string words;  // description for the help; may have several lines
  /// The help shows the option without brackets. parse_arguments() does not enforce it: the verb
  /// reports a missing option in its own words.
  bool required = false;
  /// The placeholder of a free value in the usage: "FILE". Empty for a flag or choices.
  std::string value{};

  /// Returns whether the option takes a value; otherwise it is a flag.
  bool takes_value() const { return !choices.empty() || !value.empty(); }
};

/// Holds the parsed words that follow the verb on the command line.
struct Arguments {
  /// Words that are neither options nor overrides: files, folders or keys, by the verb.
  std::vector<std::string> files;
  /// Words of the form key.path=value. A word that names an existing file is not one of them, nor
  /// is one with a slash before its '='.
  std::vector<std::string> overrides;
  /// Files and overrides in the given order.
  std::vector<std::string> words;
  /// The given options by name without dashes; a flag has an empty value.
  std::map<std::string, std::string> options;

  /// Returns whether an option was given.
  bool has(const std::string& option) const { return options.contains(option); }

  /// Returns the value of an option, or `otherwise` if it was not given.
  std::string get(const std::string& option, const std::string& otherwise) const;
};

/// Parses the words that follow a verb. Options may stand anywhere and are not abbreviated; words
/// behind "--" are not options. Throws knead::Error (exit code 2) for an unknown option or value,
/// with the nearest known one as a hint, or with the key of the recipe that it means where the verb
/// takes overrides; for a missing value, and for an option that is given twice. Asks the disk only
/// whether a word with '=' is a file.
Arguments parse_arguments(const std::string& verb, const std::vector<Option>& options,
                          const std::vector<std::string>& words, bool takes_overrides);

}  // namespace knead::front
