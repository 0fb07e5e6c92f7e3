#include "runner/engine/model/explain/read_source.h"

#include "runner/files/read.h"

namespace knead::engine::model {

std::shared_ptr<const schema::Source> read_source(const std::filesystem::path& path) {
  const std::string relative = path.lexically_relative(std::filesystem::current_path()).string();
  const std::string whole = path.string();
  // A path such as ../../../models/gpt.py may be longer than the absolute one.
  const bool is_short = !relative.empty() && relative.size() < whole.size();
  return std::make_shared<schema::Source>(is_short ? relative : whole,
                                          std::filesystem::absolute(path), files::read_text(path));
}

}  // namespace knead::engine::model
