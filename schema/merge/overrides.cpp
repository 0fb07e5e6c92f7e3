#include "schema/merge/overrides.h"

#include <charconv>

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/merge/shorthand.h"

namespace knead::schema {
namespace {

/// One argument `key.path=value`. Its Source counts `position` as the line, so that messages show
/// which argument is wrong.
class Override {
 public:
  Override(const std::string& argument, int position, Problems& problems)
      : source_(std::make_shared<Source>("override", std::filesystem::path(), argument, position)),
        problems_(problems) {}

  void apply(Node& root, const Type& type) {
    if (auto wrong = check_bytes(source_)) return problems_.push_back(std::move(*wrong));
    const std::size_t equals = source_->text().find('=');
    if (equals == std::string::npos || !read_path(equals)) {
      return fail({source_, 0, source_->text().size()}, "an override is key.path=value",
                  "as in optimizer.lr=0.01");
    }
    // Each step may create a block, and later functions walk the tree by recursion.
    if (path_.size() > kMostLevels) {
      problems_.push_back({"too-large", path_[0].place,
                           fmt::format("a path of more than {} keys", kMostLevels), ""});
      return;
    }
    // The files have been read and merged before arguments are applied.
    if (path_[0].name == "extends") {
      return fail(path_[0].place, "'extends' cannot be overridden",
                  "write a recipe that extends both");
    }
    std::optional<Node> value = parse_yaml(source_, problems_, equals + 1);
    if (!value) return;
    if (value->empty) {
      return fail({source_, 0, source_->text().size()},
                  fmt::format("'{}' has no value", source_->text()),
                  fmt::format("write {0}null to leave the key out, {0}'\"\"' for an empty text",
                              source_->text()));
    }
    set_value(root, type, path_, std::move(*value), problems_);
  }

 private:
  void fail(Place place, std::string message, std::string hint) {
    problems_.push_back({"bad-override", std::move(place), std::move(message), std::move(hint)});
  }

  bool read_path(std::size_t end) {
    const std::string path = source_->text().substr(0, end);
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t dot = std::min(path.find('.', begin), path.size());
      if (dot == begin) return false;
      path_.push_back({path.substr(begin, dot - begin), {source_, begin, dot}});
      begin = dot + 1;
    }
    return !path_.empty();
  }

  std::shared_ptr<const Source> source_;
  Problems& problems_;
  std::vector<Step> path_;
};

/// Sets a value at a path, and makes the blocks that are missing on the way.
class Setting {
 public:
  explicit Setting(Problems& problems) : problems_(problems) {}

  void run(Node& root, const Type& root_type, const std::vector<Step>& path, Node value) {
    Node* here = &root;
    const Node* parent = nullptr;
    const Type* type = &root_type;
    for (std::size_t at = 0; at < path.size(); ++at) {
      Step step = path[at];
      // In sweep.over the rest of the path is one name: that of a key.
      if (type && type->shape == Shape::dictionary && type->names == Format::key_path) {
        while (++at < path.size()) {
          step.name += "." + path[at].name;
          step.place.end = path[at].place.end;
        }
      }
      if (type) type = type_of_entry(*type, *here, parent, step.name);
      parent = here;
      here = descend(*here, step);
      if (!here) return;
    }
    const bool was_map = value.is_map();
    if (type) expand_shorthand(value, *type);
    // A bare value that stands for a key sets this key only; a written block replaces the block.
    const bool one_key = value.is_map() && !was_map;
    if (one_key && here->is_map()) {
      *here = merged(std::move(*here), std::move(value));
    } else {
      value.replaced = std::make_shared<const Node>(std::move(*here));
      *here = std::move(value);
    }
  }

 private:
  /// Returns the value one step below, and adds it if it is missing. Returns null after a problem.
  Node* descend(Node& here, const Step& step) {
    if (here.is_list()) return item(here, step);
    if (!here.is_map()) {
      Node block;
      block.kind = Node::Kind::map;
      block.place = step.place;
      if (!here.is_null()) block.replaced = std::make_shared<const Node>(std::move(here));
      here = std::move(block);
    }
    if (Entry* known = here.entry(step.name)) {
      // Problems of the key are shown in the argument.
      known->place = step.place;
      return &known->value;
    }
    Node absent;
    absent.place = step.place;
    here.entries.push_back({step.name, step.place, std::move(absent)});
    return &here.entries.back().value;
  }

  /// Returns an item of a list by its number. Reports a number that the list does not have.
  Node* item(Node& list, const Step& step) {
    std::size_t index = 0;
    const char* end = step.name.data() + step.name.size();
    const auto read = std::from_chars(step.name.data(), end, index);
    if (read.ec == std::errc() && read.ptr == end && index < list.items.size())
      return &list.items[index];
    problems_.push_back(
        {"bad-override", step.place, fmt::format("there is no '{}' in this list", step.name),
         list.items.empty() ? "the list is empty"
                            : fmt::format("it has the items 0 to {}", list.items.size() - 1)});
    return nullptr;
  }

  Problems& problems_;
};

}  // namespace

void apply_overrides(Node& root, const Type& type, const std::vector<std::string>& arguments,
                     Problems& problems) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Override(arguments[i], static_cast<int>(i) + 1, problems).apply(root, type);
  }
}

void set_value(Node& root, const Type& type, const std::vector<Step>& path, Node value,
               Problems& problems) {
  Setting(problems).run(root, type, path, std::move(value));
}

}  // namespace knead::schema
