#include "runner/engine/model/module/archive_check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include "runner/engine/model/module/archive_bytes.h"
#include "runner/engine/model/module/archive_pickle.h"
#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/operators/permission.h"
#include "runner/files/budget.h"
#include "runner/files/zip_archive.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
/// Limits the code of an archive; that of a model of a thousand layers has two megabytes.
constexpr std::uint64_t kMostCode = 16 * kMegabyte;
/// Limits its pickles, of which a tensor takes about 200 bytes.
constexpr std::uint64_t kMostPickles = 8 * kMegabyte;
/// Limits what a packed member unpacks to, as a multiple of its size. PyTorch packs code only.
constexpr std::uint64_t kMostUnpacked = 100;
constexpr std::size_t kMostMembers = 200'000;
constexpr const char* kRemedy = kRemedyOfArchive;

bool is_pickle(const std::string& member) { return member.ends_with(".pkl"); }

bool is_code(const std::string& member) {
  return member.ends_with(".py") || member.ends_with(".debug_pkl");
}

/// Returns the directory; std::nullopt if LibTorch has words for what is wrong with it.
std::optional<files::ZipArchive> directory_of(const std::string& bytes, const std::string& name) {
  using Kind = files::ZipFault::Kind;
  bool is_no_zip = false;
  files::Budget budget(name);
  try {
    return files::ZipArchive(
        bytes.size(), [&](std::uint64_t at, std::uint64_t size) { return bytes.substr(at, size); },
        [&](const files::ZipFault& fault) {
          is_no_zip = fault.kind == Kind::too_short || fault.kind == Kind::no_end;
          return Error(name + " cannot be loaded: its zip directory is damaged", kRemedy);
        },
        budget);
  } catch (const Error&) {
    if (!is_no_zip) throw;
    return std::nullopt;
  }
}

void check_sizes(const std::vector<files::ZipEntry>& entries, const std::string& name) {
  const auto refuse = [&](const std::string& what, std::uint64_t size, std::uint64_t most) {
    throw Error(fmt::format("{} cannot be loaded: {} has {}, and may have {}", name, what,
                            schema::byte_words(static_cast<double>(size)),
                            schema::byte_words(static_cast<double>(most))),
                kRemedy);
  };
  if (entries.size() > kMostMembers)
    throw Error(name + " cannot be loaded: it has more members than any model", kRemedy);
  std::uint64_t code = 0, pickles = 0;
  for (const files::ZipEntry& entry : entries) {
    const std::uint64_t most = kMegabyte + kMostUnpacked * entry.size;
    if (entry.unpacked > most) refuse("'" + entry.name + "' in it", entry.unpacked, most);
    if (is_code(entry.name)) code += std::min(entry.unpacked, kMostCode + 1);
    if (is_pickle(entry.name)) pickles += std::min(entry.unpacked, kMostPickles + 1);
  }
  if (code > kMostCode) refuse("its code", code, kMostCode);
  if (pickles > kMostPickles) refuse("the list of its tensors", pickles, kMostPickles);
}

/// Returns what in a member makes LibTorch run code while it loads the archive; empty for nothing.
std::string_view runs_in(std::string_view member) {
  for (const std::string_view word : {"__setstate__", "__torch__.torch.classes"}) {
    if (member.find(word) != member.npos) return word;
  }
  return "";
}

/// Refuses code that nests deeper, or has more functions, than LibTorch compiles in a few seconds.
void check_code(std::string_view text, const std::string& member, const std::string& name) {
  constexpr int kDeepest = 300, kMostFunctions = 20'000;
  int depth = 0, deepest = 0, functions = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == ')' || c == ']') --depth;
    if (c == '\n') depth = 0;
    if (text.compare(at, 4, "def ") == 0) ++functions;
  }
  if (deepest <= kDeepest && functions <= kMostFunctions) return;
  throw Error(fmt::format("{} cannot be loaded: '{}' in it has {} functions and brackets {} deep, "
                          "and may have {} and {}",
                          name, member, functions, deepest, kMostFunctions, kDeepest),
              kRemedy);
}

// --- methods

/// Operators that archives of PyTorch's own layers hold although no source can reach them.
bool is_of_archives(std::string_view name) {
  static const std::set<std::string_view> names = {"aten::warn",
                                                   "aten::is_autocast_enabled",
                                                   "aten::is_autocast_cpu_enabled",
                                                   "aten::hash",
                                                   "aten::get_num_threads",
                                                   "aten::percentFormat",
                                                   "aten::cuda",
                                                   "aten::ljust",
                                                   "aten::rjust",
                                                   "aten::center",
                                                   "aten::zfill",
                                                   "aten::expandtabs",
                                                   "aten::rsplit",
                                                   "aten::split",
                                                   "aten::encode",
                                                   "aten::pin_memory",
                                                   "aten::is_pinned",
                                                   "aten::Generator",
                                                   "aten::manual_seed",
                                                   "aten::seed",
                                                   "aten::initial_seed",
                                                   "prim::TupleConstruct",
                                                   "prim::shape",
                                                   "prim::annotate",
                                                   "prim::is_ipu",
                                                   "prim::is_maia",
                                                   "prim::is_mtia",
                                                   "prim::is_vulkan",
                                                   "prim::is_xpu",
                                                   "prim::is_meta",
                                                   "prim::AutogradZero",
                                                   "prim::EnumName",
                                                   "prim::name",
                                                   "prim::layout",
                                                   "prim::BailOut",
                                                   "prim::Guard",
                                                   "prim::profile",
                                                   "prim::unchecked_cast"};
  return names.contains(name);
}

/// Returns whether torch.nn's own modules, such as TransformerEncoder, call an operator in scripts
/// that torch.jit.script makes of them.
bool is_of_torch_modules(std::string_view name) {
  static const std::set<std::string_view> names = {"aten::_native_multi_head_attention",
                                                   "aten::_nested_tensor_from_mask",
                                                   "aten::_nested_tensor_from_mask_left_aligned",
                                                   "aten::_pack_padded_sequence",
                                                   "aten::_pad_packed_sequence",
                                                   "aten::_transformer_encoder_layer_fwd"};
  return names.contains(name);
}

[[noreturn]] void refuse_operator(const torch::jit::Node& node, const OperatorRefusal& refusal,
                                  const std::string& name) {
  std::string line;
  if (const auto place = node.sourceRange().file_line_col()) {
    line = fmt::format(", in line {} of {}", std::get<1>(*place), std::get<0>(*place));
  }
  throw Error(fmt::format("{} cannot be loaded: it calls '{}'{}: {}", name,
                          node.kind().toUnqualString(), line, refusal.why),
              kRemedy);
}

void check_operators(torch::jit::Block& block, const std::string& name) {
  for (torch::jit::Node* node : block.nodes()) {
    for (torch::jit::Block* inner : node->blocks()) check_operators(*inner, name);
    const std::string_view operation = node->kind().toQualString();
    if (is_of_archives(operation) || is_of_torch_modules(operation)) continue;
    const c10::FunctionSchema* schema = node->maybeSchema();
    const OperatorRefusal* refusal = schema ? refusal_of(*schema) : refusal_of_primitive(operation);
    if (refusal) refuse_operator(*node, *refusal, name);
  }
}

/// Counts the nodes of functions with those of all that they call, as written out for a run.
class WrittenOut {
 public:
  explicit WrittenOut(const std::string& name) : name_(name) {}

  std::size_t nodes_in(torch::jit::GraphFunction& function, int level = 0) {
    constexpr int kMostLevels = 500;
    if (level > kMostLevels) {
      throw Error(fmt::format("{} cannot be loaded: its methods call each other more than {} deep",
                              name_, kMostLevels),
                  kRemedy);
    }
    const auto found = nodes_.find(&function);
    if (found != nodes_.end()) return found->second;
    const std::size_t nodes = nodes_in(*function.graph()->block(), level);
    return nodes_[&function] = nodes;
  }

 private:
  std::size_t nodes_in(torch::jit::Block& block, int level) {
    constexpr std::size_t kMost = 500'000;
    std::size_t nodes = 0;
    for (torch::jit::Node* node : block.nodes()) {
      ++nodes;
      for (torch::jit::Block* inner : node->blocks()) nodes += nodes_in(*inner, level);
      if (auto* callee = callee_of(*node)) nodes += nodes_in(*callee, level + 1);
      if (nodes <= kMost) continue;
      throw Error(fmt::format("{} cannot be loaded: its code is written out to more than {} "
                              "operators, each call of a method once",
                              name_, kMost),
                  kRemedy);
    }
    return nodes;
  }

  const std::string& name_;
  std::unordered_map<const torch::jit::Function*, std::size_t> nodes_;
};

}  // namespace

void check_contents(const std::string& bytes, const std::string& name) {
  const auto directory = directory_of(bytes, name);
  if (!directory) return;
  check_sizes(directory->entries(), name);
  caffe2::serialize::PyTorchStreamReader reader(std::make_shared<ArchiveBytes>(bytes));
  for (const std::string& member : reader.getAllRecords()) {
    if (!is_pickle(member) && !member.ends_with(".py")) continue;
    const auto [data, size] = reader.getRecord(member);
    const std::string_view content(static_cast<const char*>(data.get()), size);
    is_pickle(member) ? check_pickle(content, member, name) : check_code(content, member, name);
    const std::string_view word = runs_in(content);
    if (word.empty()) continue;
    throw Error(fmt::format("{} cannot be loaded: {} in '{}' would run code while it is loaded",
                            name, word, member),
                "save the module without it, in Python");
  }
}

void check_methods(const torch::jit::Module& module, const std::string& name) {
  WrittenOut written_out(name);
  for (torch::jit::Function* function : module._ivalue()->compilation_unit()->get_functions()) {
    auto* compiled = function ? torch::jit::tryToGraphFunction(*function) : nullptr;
    if (!compiled) continue;
    check_operators(*compiled->graph()->block(), name);
    written_out.nodes_in(*compiled);
  }
}

}  // namespace knead::engine::model
