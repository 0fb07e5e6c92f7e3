#include "runner/launch/clusters/manifest.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/source.h"
#include "schema/document/yaml_text.h"

namespace knead::launch {
namespace {

/// The longest name of a Job whose pods can be named: a host name has 63 characters, of which a
/// '-' and the index take some.
constexpr std::size_t kLongestName = 54;

constexpr const char* kWhatTheSecretHolds =
    R"(# A Secret holds what the recipe reads from the environment. The command takes the values from the
# shell that you call it in.
#
)";

constexpr std::string_view kVariable = R"yaml(            - name: {name}
              valueFrom:
                secretKeyRef:
                  name: {secret}
                  key: {name}
)yaml";

constexpr std::string_view kWithDefault =
    R"yaml(                  # Without it the default of the recipe applies.
                  optional: true
)yaml";

bool is_unicode(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = schema::sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// Writes a word of a command. Kubernetes replaces $(NAME) in it, and reads $$ as one $.
std::string word_of_command(const std::string& word) {
  if (!is_unicode(word))
    throw Error(fmt::format("a manifest cannot hold '{}', which is not UTF-8", word), "rename it",
                Exit::invalid_recipe);
  std::string escaped;
  for (const char c : word) escaped += c == '$' ? "$$" : std::string(1, c);
  return schema::word_as_yaml(escaped);
}

}  // namespace

std::string manifest_name(const std::string& run) {
  std::string name = "knead-";
  for (const char c : run) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '-';
  }
  name.resize(std::min(name.size(), kLongestName));
  name.erase(name.find_last_not_of('-') + 1);
  return name;
}

std::string manifest_command(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += fmt::format("            - {}\n", word_of_command(word));
  return out;
}

std::string manifest_secret(const std::string& name, const std::vector<ClusterVariable>& variables,
                            const std::string& literals) {
  std::string values;
  for (const ClusterVariable& variable : variables)
    if (!variable.has_default) values += fmt::format(" --from-literal={0}=\"${0}\"", variable.name);
  if (literals.empty() && values.empty()) return "";
  return (values.empty() ? "" : kWhatTheSecretHolds) +
         fmt::format("#   kubectl create secret generic {}{}{}\n", name, literals, values);
}

std::string manifest_variables(const std::string& secret,
                               const std::vector<ClusterVariable>& variables) {
  std::string out;
  for (const ClusterVariable& variable : variables) {
    out += fmt::format(kVariable, fmt::arg("secret", secret), fmt::arg("name", variable.name));
    if (variable.has_default) out += kWithDefault;
  }
  return out;
}

std::string manifest_resources(std::optional<std::int64_t> processors, std::int64_t gpus) {
  std::string out;
  if (processors)
    out += fmt::format("            requests:\n              cpu: \"{}\"\n", *processors);
  if (gpus > 0)
    out += fmt::format("            limits:\n              nvidia.com/gpu: \"{}\"\n", gpus);
  return out.empty() ? "" : "          resources:\n" + out;
}

}  // namespace knead::launch
