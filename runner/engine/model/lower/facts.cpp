#include "runner/engine/model/lower/facts.h"

#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Adds the names or the attributes that an assignment target binds.
void read_target(const syntax::Expression& target, const std::string& self, Facts& facts) {
  if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
    ++facts.assigned[name->id];
  } else if (const auto* attribute = std::get_if<syntax::Attribute>(&target.kind)) {
    const auto* object = std::get_if<syntax::Name>(&attribute->value->kind);
    const bool own = object && !self.empty() && object->id == self;
    (own ? facts.own_assigned : facts.foreign_assigned).insert(attribute->name);
  } else if (const auto* tuple = std::get_if<syntax::Tuple>(&target.kind)) {
    for (const auto& item : tuple->items) read_target(item, self, facts);
  } else if (const auto* list = std::get_if<syntax::List>(&target.kind)) {
    for (const auto& item : list->items) read_target(item, self, facts);
  } else if (const auto* starred = std::get_if<syntax::Starred>(&target.kind)) {
    read_target(*starred->value, self, facts);
  }
}

/// Adds attribute names, string literals and names bound by `:=`. Any string counts as an attribute
/// name, because getattr() may receive it.
void read_expression(const syntax::Expression& expression, Facts& facts) {
  for_each_below(expression, [&](const syntax::Expression& inner) {
    if (const auto* attribute = std::get_if<syntax::Attribute>(&inner.kind)) {
      facts.attributes.insert(attribute->name);
    } else if (const auto* text = std::get_if<syntax::String>(&inner.kind)) {
      facts.attributes.insert(text->value);
    } else if (const auto* walrus = std::get_if<syntax::Walrus>(&inner.kind)) {
      ++facts.assigned[walrus->name];
    }
  });
}

void read_statement(const syntax::Statement& statement, const std::string& self, Facts& facts) {
  for_each_expression(statement, [&](const auto& inner) { read_expression(inner, facts); });
  if (const auto* assign = std::get_if<syntax::Assign>(&statement.kind)) {
    for (const auto& target : assign->targets) read_target(target, self, facts);
  } else if (const auto* augmented = std::get_if<syntax::AugmentedAssign>(&statement.kind)) {
    read_target(augmented->target, self, facts);
    read_target(augmented->target, self, facts);  // counts twice: the name must have a value before
  } else if (const auto* annotated = std::get_if<syntax::AnnotatedAssign>(&statement.kind)) {
    read_target(annotated->target, self, facts);
  } else if (const auto* loop = std::get_if<syntax::For>(&statement.kind)) {
    read_target(loop->target, self, facts);
  } else if (const auto* with = std::get_if<syntax::With>(&statement.kind)) {
    for (const auto& item : with->items) {
      if (item.target) read_target(*item.target, self, facts);
    }
  } else if (const auto* function = std::get_if<syntax::Function>(&statement.kind)) {
    ++facts.assigned[function->name];
  } else if (const auto* type = std::get_if<syntax::Class>(&statement.kind)) {
    ++facts.assigned[type->name];
  } else if (const auto* import = std::get_if<syntax::Import>(&statement.kind)) {
    for (const auto& name : import->names) {
      ++facts.assigned[name.alias.empty() ? name.name.substr(0, name.name.find('.')) : name.alias];
    }
  }
}

std::set<std::string> names_in(const Facts& facts) {
  std::set<std::string> names;
  for (const auto& [name, times] : facts.assigned) names.insert(name);
  return names;
}

/// Visits the functions of a class and of its bases, including overridden ones, which super() may
/// call.
void for_each_function(const Class& type, const std::function<void(const Function&)>& visit) {
  for (const auto& base : type.order) {
    for (const auto& [name, member] : base->members) {
      if (const auto* function = std::get_if<std::shared_ptr<Function>>(&member)) visit(**function);
    }
  }
}

}  // namespace

Facts read_facts(const Function& function) {
  Facts facts;
  const auto& parameters =
      function.definition ? function.definition->parameters : function.lambda->parameters;
  for (const auto& parameter : parameters) ++facts.assigned[parameter.name];
  const bool has_self =
      !parameters.empty() && !function.owner.expired() && function.kind != Function::Kind::static_;
  const std::string self = has_self ? parameters.front().name : "";
  if (function.lambda) {
    read_expression(*function.lambda->body, facts);
  } else {
    for_each_statement(function.definition->body,
                       [&](const auto& statement) { read_statement(statement, self, facts); });
  }
  return facts;
}

std::set<std::string> assigned_in(const syntax::Body& body) {
  Facts facts;
  for_each_statement(body, [&](const auto& statement) { read_statement(statement, "", facts); });
  return names_in(facts);
}

std::set<std::string> assigned_by(const syntax::Statement& statement) {
  Facts facts;
  read_statement(statement, "", facts);
  return names_in(facts);
}

std::set<std::string> names_bound_by(const syntax::Expression& target) {
  Facts facts;
  read_target(target, "", facts);
  return names_in(facts);
}

Changes::Changes(const std::set<const Class*>& classes) {
  std::map<const Function*, Facts> facts;
  for (const Class* type : classes) {
    for_each_function(*type, [&](const Function& function) {
      if (!facts.contains(&function)) facts.emplace(&function, read_facts(function));
    });
  }
  std::set<std::string> reachable = {"forward"};
  std::set<const Function*> done;
  // A function that is found reachable may make others reachable, so the search repeats until
  // nothing changes. Functions are matched by name only: the set may be too large, never too small.
  for (bool more = true; more;) {
    more = false;
    for (const auto& [function, read] : facts) {
      if (!reachable.contains(function->name) || !done.insert(function).second) continue;
      more = true;
      reachable.insert(read.attributes.begin(), read.attributes.end());
      everywhere_.insert(read.foreign_assigned.begin(), read.foreign_assigned.end());
    }
  }
  for (const Class* type : classes) {
    for_each_function(*type, [&](const Function& function) {
      if (!done.contains(&function)) return;
      const auto& names = facts.at(&function).own_assigned;
      own_[type].insert(names.begin(), names.end());
    });
  }
}

bool Changes::changes(const Class& type, const std::string& name) const {
  if (everywhere_.contains(name)) return true;
  const auto own = own_.find(&type);
  return own != own_.end() && own->second.contains(name);
}

}  // namespace knead::engine::model
