#include "runner/engine/model/python/evaluator/native.h"

namespace knead::engine::model {

std::shared_ptr<Class> make_type(const std::string& name, BuiltinCall construct) {
  auto type = std::make_shared<Class>();
  type->name = name;
  type->construct = std::move(construct);
  type->order = {type};
  return type;
}

void add_method(Class& type, const std::string& name, Method method) {
  type.members.emplace_back(
      name, make_builtin(type.name + "." + name,
                         [method](Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
                           return method(evaluator, arguments);
                         }));
}

std::shared_ptr<Namespace> make_namespace(const std::string& name) {
  auto names = std::make_shared<Namespace>();
  names->name = name;
  names->names = std::make_shared<Scope>();
  return names;
}

void add_function(Namespace& names, const std::string& name, Method function) {
  names.names->set(
      name, make_builtin(names.name + "." + name,
                         [function](Evaluator& evaluator, const Arguments& arguments,
                                    syntax::Range) { return function(evaluator, arguments); }));
}

void add_function(Evaluator& evaluator, const std::string& name, Method function) {
  evaluator.add_global(
      name, make_builtin(name, [function](Evaluator& with, const Arguments& arguments,
                                          syntax::Range) { return function(with, arguments); }));
}

bool is_layer(const FileValues& file) { return file.module.starts_with("torch."); }

}  // namespace knead::engine::model
