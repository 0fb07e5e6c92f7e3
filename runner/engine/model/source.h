#pragma once
#include "runner/engine/model/evaluate.h"
#include "runner/engine/model/model.h"
namespace knead::engine::model {
struct Built { std::unique_ptr<Model> model; std::string source_text; std::string layers_text; };
Built build_source(const Request& request);
}
