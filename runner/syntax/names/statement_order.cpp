#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/syntax/builtin_names.h"
#include "runner/syntax/names/statement_names.h"

namespace knead::syntax {
namespace {

/// Collects the statements that must run.
class Closure {
 public:
  explicit Closure(const std::vector<StatementNames>& statements)
      : statements_(statements), taken_(statements.size()) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      for (const Names* names : {&statements[i].binds, &statements[i].changes}) {
        for (const std::string& name : *names) writers_[name].insert(i);
      }
      for (const std::string& name : statements[i].reads) readers_[name].push_back(i);
    }
  }

  void add(const std::string& name) {
    if (!names_.insert(name).second) return;
    const auto writers = writers_.find(name);
    if (writers == writers_.end()) {
      // `from m import *` may bind it.
      if (name != "*" && !is_builtin(name)) add("*");
      return;
    }
    for (const std::size_t one : writers->second) take(one);
    // A statement that reads the name before its last change would read another value later.
    const std::size_t last = *writers->second.rbegin();
    for (const std::size_t one : readers_[name]) {
      if (one < last) take(one);
    }
  }

  void take(std::size_t statement) {
    if (taken_[statement]) return;
    taken_[statement] = true;
    open_.push_back(statement);
  }

  std::vector<std::size_t> finish() {
    while (!open_.empty()) {
      const StatementNames& one = statements_[open_.back()];
      open_.pop_back();
      for (const Names* names : {&one.reads, &one.later, &one.binds, &one.changes}) {
        for (const std::string& name : *names) add(name);
      }
    }
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (taken_[i]) places.push_back(i);
    }
    return places;
  }

 private:
  const std::vector<StatementNames>& statements_;
  std::vector<bool> taken_;
  std::vector<std::size_t> open_;  // taken, and their names not yet added
  Names names_;
  std::map<std::string, std::set<std::size_t>> writers_;
  std::map<std::string, std::vector<std::size_t>> readers_;
};

}  // namespace

std::vector<std::size_t> statements_for(const std::vector<StatementNames>& statements,
                                        const Names& wanted) {
  Closure closure(statements);
  for (const std::string& name : wanted) closure.add(name);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].always) closure.take(i);
  }
  return closure.finish();
}

}  // namespace knead::syntax
