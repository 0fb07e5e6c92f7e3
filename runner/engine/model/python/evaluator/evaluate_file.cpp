#include <algorithm>
#include <filesystem>
#include <utility>

#include "runner/engine/model/explain/read_source.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/syntax/parse.h"

namespace knead::engine::model {
namespace {

/// Returns the value of a name whose statement failed.
Value failed(const std::string& name, const std::shared_ptr<const syntax::Refusal>& failure) {
  const auto names = make_namespace(name);
  names->available = false;
  names->failure = failure;
  return names;
}

}  // namespace

std::shared_ptr<Namespace> Evaluator::open(const std::filesystem::path& path,
                                           const std::string& module) {
  std::error_code is_nameless;  // a file in memory, which only a descriptor leads to
  std::filesystem::path key = std::filesystem::weakly_canonical(path, is_nameless);
  if (is_nameless) key = path;
  if (const auto known = files_.find(key); known != files_.end()) return known->second;
  const auto file = syntax::parse(read_source(path));
  const auto names = make_namespace(module);
  auto values = std::make_unique<FileValues>();
  values->module = module;
  values->file = file;
  values->globals = names->names;
  values->globals->set("__name__", module);
  values->globals->set("__file__", file->source->path().string());
  names->file = program_.files.emplace_back(std::move(values)).get();
  FileStatements statements{.names = syntax::statement_names(*file), .have_run = {}};
  statements.have_run.resize(statements.names.size());
  statements.running = statements.names.size();
  statements_.emplace(names->file, std::move(statements));
  // Registered before its statements run, so that files may import each other.
  files_.emplace(key, names);
  return names;
}

std::shared_ptr<Namespace> Evaluator::opened(const std::string& name) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const auto& file) {
    return file.second->file && file.second->name == name;
  });
  return found == files_.end() ? nullptr : found->second;
}

bool Evaluator::binds(const FileValues& file, const std::string& name) const {
  const auto known = statements_.find(&file);
  return known != statements_.end() &&
         std::any_of(known->second.names.begin(), known->second.names.end(),
                     [&](const syntax::StatementNames& one) { return one.binds.contains(name); });
}

void Evaluator::need(const FileValues& file, const syntax::Names& names) {
  const auto known = statements_.find(&file);
  if (known == statements_.end()) return;  // a layer file has run
  run_statements(file, syntax::statements_for(known->second.names, names));
}

void Evaluator::need_all(const FileValues& file) {
  const auto known = statements_.find(&file);
  if (known == statements_.end()) return;
  syntax::Names names;
  for (const auto& statement : known->second.names) {
    names.insert(statement.binds.begin(), statement.binds.end());
  }
  need(file, names);
}

void Evaluator::run_statements(const FileValues& file, const std::vector<std::size_t>& places) {
  for (const std::size_t place : places) {
    FileStatements& statements = statements_.at(&file);
    // A file that is imported by a file that it imports has the names above that import, as in
    // Python.
    if (statements.have_run[place] || place >= statements.running) continue;
    statements.have_run[place] = true;
    const std::size_t running = std::exchange(statements.running, place);
    const std::size_t depth = frames_.size();
    frames_.push_back({.file = &file, .scope = file.globals, .names = file.globals});
    try {
      execute(file.file->body[place]);
    } catch (const syntax::Refusal& refusal) {
      if (is_exhausted_ || statements.names[place].always) throw;
      const auto failure = std::make_shared<const syntax::Refusal>(refusal);
      for (const syntax::Names* names :
           {&statements.names[place].binds, &statements.names[place].changes}) {
        for (const std::string& name : *names) file.globals->set(name, failed(name, failure));
      }
    }
    frames_.resize(depth);
    statements_.at(&file).running = running;
  }
}

}  // namespace knead::engine::model
