#include "schema/document/parse.h"

#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "schema/document/null_value.h"
#include "schema/document/open_block.h"
#include "schema/document/tag.h"
#include "schema/document/token.h"
#include "schema/document/yaml_errors.h"

namespace knead::schema {
namespace {

constexpr std::size_t kLongestKey = 1024;  // YAML's limit for a key without '?'

/// Thrown to leave yaml-cpp at a problem that makes the rest unreadable.
struct Stop {
  Problem problem;
};

struct Anchor {
  std::optional<Node> node;  // std::nullopt while it is read: an alias to it is a cycle
  std::size_t nodes = 0;
  std::size_t text = 0;
  std::size_t levels = 0;
};

std::size_t levels_of(const Node& node) {
  std::size_t deepest = 0;
  for (const Node& item : node.items) deepest = std::max(deepest, levels_of(item));
  for (const Entry& entry : node.entries) deepest = std::max(deepest, levels_of(entry.value));
  return deepest + 1;
}

/// Builds the tree from yaml-cpp's events. Events have the places of aliases and empty values,
/// which yaml-cpp's own nodes lose.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const Source> source, Problems& problems, std::size_t offset)
      : source_(std::move(source)), problems_(problems), offset_(offset) {}

  std::optional<Node> take_root() { return std::move(root_); }

  Place innermost_bracket() const {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (open->in_flow) return open->node.place;
    }
    return {};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    const std::size_t at = offset_of(mark);
    if (source_->text().compare(at, 3, "---") == 0) {
      fail("several-documents", {source_, at, at + 3},
           "a second document begins here; a recipe is one document",
           "remove the '---', or make two files");
    }
    fail("yaml-syntax", {source_, at, at + 1},
         "this line is indented less than the first key of the file",
         "give the keys of one block the same indentation");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    NullContext context;
    context.after = last_end_;
    if (!open_.empty()) {
      context.in_flow = open_.back().in_flow;
      if (open_.back().key) context.key = open_.back().key_place;
    }
    Node node = null_node(source_, offset_of(mark), context);
    if (lacks_colon(node, context)) {
      fail("yaml-syntax", context.key,
           fmt::format("expected ': ' and a value after '{}'", *open_.back().key), "");
    }
    if (lacks_space(node, context)) {
      fail("yaml-syntax", context.key,
           fmt::format("a space is missing after the ':' in '{}'", *open_.back().key), "");
    }
    add(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::size_t at = offset_of(mark);
    const Place place{source_, at, alias_end(source_->text(), at)};
    const Anchor& known = anchors_.at(anchor - 1);
    if (!known.node) {
      fail("alias-cycle", place, "this alias stands inside the value it names",
           "write the value out");
    }
    count(known.nodes, place);
    count_copied(known.text, place);
    if (open_.size() + known.levels > kMostLevels) too_deep(place);
    Node node = *known.node;
    node.anchor = node.place;
    node.place = place;
    add(std::move(node), 0, known.nodes);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t at = skip_properties(source_->text(), offset_of(mark));
    const Token token = scalar_token(source_->text(), at, value);
    Node node = text_node(value, {source_, at, token.end});
    if (!token.closed) {
      fail("yaml-syntax", {source_, at, at + 1}, "the quote that opens here is never closed",
           "close it; a quote inside the text is doubled ('') or escaped (\\\")");
    }
    node.plain = tag == "?";
    const OpenBlock* open = open_.empty() ? nullptr : &open_.back();
    const bool is_key = open && open->awaits_key();
    if (!is_key) note(node, resolve_by_tag(node, tag));
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    begin(Node::Kind::list, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { end(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    begin(Node::Kind::map, mark, tag, anchor, style);
  }
  void OnMapEnd() override {
    open_.back().merge();
    end();
  }

 private:
  std::size_t offset_of(const YAML::Mark& mark) const {
    return std::min(offset_ + static_cast<std::size_t>(std::max(0, mark.pos)),
                    source_->text().size());
  }

  [[noreturn]] void fail(std::string code, Place place, std::string message, std::string hint) {
    throw Stop{{std::move(code), std::move(place), std::move(message), std::move(hint)}};
  }

  /// Adds a problem that does not stop parsing, and marks the node, so that validation skips it.
  void note(Node& node, std::optional<Problem> problem) {
    if (!problem) return;
    node.broken = true;
    problems_.push_back(std::move(*problem));
  }

  [[noreturn]] void too_deep(const Place& place) {
    fail("too-large", place,
         fmt::format("more than {} levels of blocks inside blocks", kMostLevels), "");
  }

  void count(std::size_t nodes, const Place& place) {
    nodes_ += nodes;
    if (nodes_ > kMostNodes) {
      fail("too-large", place,
           fmt::format("more than {} values, aliases counted as what they stand for", kMostNodes),
           "");
    }
  }

  void count_copied(std::size_t text, const Place& place) {
    copied_text_ += text;
    if (copied_text_ > kMostText)
      fail("too-large", place, "more than 2 MiB of text in aliases and in what they stand for", "");
  }

  /// Keeps a copy of a value for its aliases. Anchors inside other anchors are copied more than
  /// once, so copies have limits of their own.
  void keep(const Node& node, YAML::anchor_t anchor) {
    Anchor known{node, count_nodes(node), count_text(node), levels_of(node)};
    kept_nodes_ += known.nodes;
    if (kept_nodes_ > kMostNodes) {
      fail("too-large", node.place,
           fmt::format("more than {} values under anchors, one under two anchors counted twice",
                       kMostNodes),
           "");
    }
    count_copied(known.text, node.place);
    register_anchor(anchor);
    anchors_[anchor - 1] = std::move(known);
  }

  void begin(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
             YAML::EmitterStyle::value style) {
    const std::size_t at = skip_properties(source_->text(), offset_of(mark));
    OpenBlock open;
    open.node.kind = kind;
    open.in_flow = style == YAML::EmitterStyle::Flow;
    open.node.place = {source_, at, at + 1};
    open.anchor = anchor;
    const OpenBlock* parent = open_.empty() ? nullptr : &open_.back();
    // Problems of an indented block are shown at its key.
    if (parent && parent->key && !open.in_flow) open.node.place = parent->key_place;
    if (parent && parent->awaits_key()) {
      if (open.in_flow && !bracket_closes(source_->text(), at))
        throw Stop{unclosed_bracket(open.node.place)};
      fail("yaml-syntax", open.node.place, "a key must be text, not a list or a block", "");
    }
    if (open_.size() + 1 > kMostLevels) too_deep(open.node.place);
    note(open.node, check_collection_tag(open.node, tag));
    register_anchor(anchor);
    open_.push_back(std::move(open));
  }

  void end() {
    OpenBlock done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  void register_anchor(YAML::anchor_t anchor) {
    if (anchor > anchors_.size()) anchors_.resize(anchor);
  }

  /// Adds a finished node to the innermost open block. `counted` is the number of its nodes that
  /// are already in the total, as an alias counts its whole value.
  void add(Node node, YAML::anchor_t anchor, std::size_t counted = 0) {
    const bool is_key = !open_.empty() && open_.back().awaits_key();
    if (counted == 0 && !is_key) count(1, node.place);
    if (anchor != 0) keep(node, anchor);
    last_end_ = node.place.end;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenBlock& open = open_.back();
    if (open.node.is_list()) {
      open.node.items.push_back(std::move(node));
    } else if (!open.key) {
      set_key(open, node);
    } else {
      open.end_entry(std::move(node), problems_);
    }
  }

  void set_key(OpenBlock& open, const Node& node) {
    check_tab(open, node.place.begin);
    if (!node.is_scalar() || node.empty) {
      fail("yaml-syntax", node.place, "a key is missing before this ':'", "");
    }
    if (node.text.size() > kLongestKey) {
      fail("too-large", node.place, fmt::format("a key of more than {} bytes", kLongestKey), "");
    }
    open.begin_entry(node);
  }

  void check_tab(const OpenBlock& open, std::size_t at) {
    const std::size_t tab = open.in_flow ? std::string::npos : indentation_tab(*source_, at);
    if (tab != std::string::npos) throw Stop{tab_problem(source_, tab)};
  }

  std::shared_ptr<const Source> source_;
  Problems& problems_;
  std::size_t offset_;
  int documents_ = 0;
  std::vector<OpenBlock> open_;
  std::vector<Anchor> anchors_;
  std::optional<Node> root_;
  std::size_t nodes_ = 0;
  std::size_t kept_nodes_ = 0;
  std::size_t copied_text_ = 0;
  std::size_t last_end_ = 0;
};

}  // namespace

std::optional<Node> parse_yaml(const std::shared_ptr<const Source>& source, Problems& problems,
                               std::size_t offset) {
  TreeBuilder builder(source, problems, offset);
  std::istringstream stream(source->text().substr(offset));
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    problems.push_back(stop.problem);
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    const std::size_t at = offset + static_cast<std::size_t>(std::max(0, error.mark.pos));
    problems.push_back(explain_yaml_failure(source, {at, error.msg, builder.innermost_bracket()}));
    return std::nullopt;
  }
  std::optional<Node> root = builder.take_root();
  if (!root) {
    root = Node{};
    root->empty = true;
    root->place = {source, offset, offset + 1};
  }
  return root;
}

}  // namespace knead::schema
