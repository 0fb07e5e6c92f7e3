#include "runner/engine/model/explain/compile_words.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "runner/engine/model/explain/trace.h"
#include "runner/engine/model/values/mistake.h"
#include "schema/document/regular_expression.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

using schema::Match;
using schema::RegularExpression;

/// Returns the non-blank lines of a text without their indentation.
std::vector<std::string> copied_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' ', at), end);
    if (begin < end) lines.push_back(text.substr(begin, end - begin));
    at = end + 1;
  }
  return lines;
}

/// An overload of an operator with the reason why it does not take the arguments.
struct Variant {
  std::string name;                     // "cat"
  std::vector<std::string> parameters;  // their names
  std::string reason;
};

/// Reads the line of an overload: "aten::cat(Tensor[] tensors, int dim=0) -> (Tensor):". Returns
/// std::nullopt for any other line.
std::optional<Variant> read_variant(const std::string& line) {
  static const RegularExpression kVariant(
      R"(^(?:aten|prim|quantized)::(\w+)(?:\.\w+)?\((.*)\) -> .*:?$)");
  static const RegularExpression kParameter(R"((\w+)(?:=[^,]*)?(?:,|$))");
  const auto found = kVariant.match(line);
  if (!found) return std::nullopt;
  Variant variant{(*found)[1], {}, ""};
  for (const Match& parameter : kParameter.find_all((*found)[2]))
    variant.parameters.push_back(parameter[1]);
  return variant;
}

/// Returns whether a line gives the reason why an overload does not fit.
bool is_reason(const std::string& line) {
  for (const char* begin :
       {"Expected", "Argument ", "Unknown", "Could not", "Keyword argument", "Can't"}) {
    if (line.starts_with(begin)) return true;
  }
  return false;
}

/// Reads all overloads that an error message lists; the reason follows its overload.
std::vector<Variant> read_variants(const std::string& cause) {
  std::vector<Variant> variants;
  for (const std::string& line : copied_lines(cause)) {
    if (auto variant = read_variant(line)) {
      variants.push_back(std::move(*variant));
    } else if (!variants.empty() && variants.back().reason.empty() && is_reason(line)) {
      variants.back().reason = first_sentence(line);
    }
  }
  return variants;
}

/// Explains a keyword argument that no overload accepts. If some overload accepts it, that overload
/// fails for another reason, which is the one to report.
std::optional<Explanation> unknown_keyword(const std::vector<Variant>& variants) {
  static const RegularExpression kUnknown(R"(Keyword argument (\w+) unknown.*)");
  std::vector<std::string_view> known;
  std::string name, keyword;
  for (const Variant& variant : variants) {
    known.insert(known.end(), variant.parameters.begin(), variant.parameters.end());
    const auto found = kUnknown.match(variant.reason);
    if (!found) continue;
    name = variant.name;
    keyword = (*found)[1];
  }
  const bool is_known = std::find(known.begin(), known.end(), keyword) != known.end();
  if (keyword.empty() || is_known) return std::nullopt;
  return Explanation{fmt::format("{}() got an unexpected keyword argument '{}'", name, keyword),
                     schema::did_you_mean(keyword, known)};
}

/// Returns the reason of the first overload whose first argument fits, because the user most likely
/// means that one.
std::string reason_of(const std::string& cause, const std::vector<Variant>& variants) {
  std::string reason;
  for (const Variant& variant : variants) {
    if (variant.reason.empty()) continue;
    const bool is_about_first = variant.reason.find("argument 'self'") != std::string::npos ||
                                variant.reason.find("argument 'input'") != std::string::npos;
    if (reason.empty() || !is_about_first) reason = variant.reason;
    if (!is_about_first) break;
  }
  return reason.empty() ? first_sentence(cause) : reason;
}

/// Returns a type with its article: "an int", "a Tensor".
std::string article(const std::string& type) {
  const bool is_open = std::string_view("aeiouAEIO").find(type.front()) != std::string_view::npos;
  return (is_open ? "an " : "a ") + type;
}

Explanation wrong_type(const Match& found) {
  const std::string wanted = found[1], name = found[2], given = found[3];
  if (given == "Optional[" + wanted + "]") {
    return {fmt::format("{} is needed here, and this may be None", article(wanted)),
            "ask before: if it is not None"};
  }
  if (given.starts_with("Tuple[") && wanted == "Tensor") {
    return {"a Tensor is needed here, and this is a " + given,
            "take the Tensor out of it: output, state = …"};
  }
  const std::string this_one = given == "NoneType" ? "None" : article(given);
  // TorchScript writes the type of the items of any list as t.
  if (wanted == "t")
    return {fmt::format("the items of a list have one type, and this is {}", this_one),
            "a list without items holds Tensors; say what others hold: List[Optional[Tensor]]"};
  return {fmt::format("{} is needed here, and this is {}", article(wanted), this_one),
          name == "self" ? "" : fmt::format("it is the argument '{}'", name)};
}

Explanation another_type(const Match& found) {
  const std::string name = found[1], before = found[2], now = found[3];
  const std::string message =
      fmt::format("'{}' is {} before and becomes {} here", name,
                  before == "NoneType" ? "None" : article(before), article(now));
  if (before == "NoneType") {
    return {message, fmt::format("say so where it is made: {}: Optional[{}] = None", name, now)};
  }
  return {message, "a variable has one type in a method: use another name"};
}

/// Replaces a sentence of the compiler that matches a pattern.
struct Rewording {
  const char* theirs;  // a pattern for the whole sentence
  Explanation (*ours)(const Match&);
};

const Rewording kRewordings[] = {
    {R"(Expected a value of type '(.*)' for argument '(\w+)' but instead found type '(.*)')",
     wrong_type},
    {R"(Variable '(\w+)' previously had type (.*) but is now being assigned to a value of type (.*))",
     another_type},
    {R"(Previous return statement returned a value of type (.*) but this return statement returns a value of type (.*))",
     [](const Match& found) -> Explanation {
       return {fmt::format("this returns {}, the return before it {}", article(found[2]),
                           article(found[1])),
               "what a method returns has one type"};
     }},
    {R"(Could not match type (.*) to t in argument 'el': Type variable 't' previously matched to type (.*) is matched to type .*)",
     [](const Match& found) -> Explanation {
       return {fmt::format("{} is put into a list of {}", article(found[1]), found[2]),
               fmt::format("an empty list is one of Tensors unless it says: items: list[{}] = []",
                           found[1])};
     }},
    {R"((\w+) is not defined in the (true|false) branch)",
     [](const Match& found) -> Explanation {
       return {fmt::format("'{}' is set only where the condition of the 'if' {}", found[1],
                           found[2] == "false" ? "holds" : "does not hold"),
               "set it before the 'if', or in both branches"};
     }},
    {R"(need (?:at least )?(\d+) values to unpack but found only (\d+))",
     [](const Match& found) -> Explanation {
       return {fmt::format("not enough values to unpack (expected {}, got {})", found[1], found[2]),
               ""};
     }},
    {R"(cannot call a value of type '(.*)')",
     [](const Match& found) -> Explanation {
       const std::string type = found[1];
       return {fmt::format("{} cannot be called", article(type)),
               type.starts_with("List") || type.starts_with("Tuple") ? "write [ ] for an item of it"
                                                                     : ""};
     }},
    {R"(builtin cannot be used as a value)",
     [](const Match&) -> Explanation {
       return {"this is a method, and it is not called", "write its parentheses: x.size(0)"};
     }},
    {R"(Because we emit iteration over modulelists.*)",
     [](const Match&) -> Explanation {
       return {"a loop over modules runs to its end",
               "let a condition decide what each of them does"};
     }},
    {R"(Can't determine the type of list elements for an empty list.*)",
     [](const Match&) -> Explanation {
       return {"what this list holds is not known", "say it: items: list[Tensor] = []"};
     }},
    {R"(List consists of heterogeneous types.*)",
     [](const Match&) -> Explanation {
       return {"the items of this list are of several types",
               "a list holds one type; a tuple, in ( ), may hold several"};
     }},
};

/// Removes internal name spaces: "__torch__.net.___torch_mangle_3.Net" becomes Net, "aten::add"
/// becomes add.
std::string without_inner_names(const std::string& text) {
  static const RegularExpression kInner(R"(__torch__\.(?:\w+\.)*|\b(?:aten|prim)::)");
  return kInner.replace(text, "");
}

}  // namespace

Explanation compile_words(const std::string& cause) {
  const auto variants = read_variants(cause);
  if (auto keyword = unknown_keyword(variants)) return *keyword;
  const std::string sentence =
      first_sentence(variants.empty() ? cause : reason_of(cause, variants));
  for (const Rewording& rewording : kRewordings) {
    const auto found = RegularExpression(rewording.theirs).match(sentence);
    if (!found) continue;
    Explanation explanation = rewording.ours(*found);
    explanation.message = without_inner_names(explanation.message);
    return explanation;
  }
  return {without_inner_names(sentence), ""};
}

}  // namespace knead::engine::model
