#include "runner/engine/model/source.h"
#include "schema/error.h"
namespace knead::engine::model { Built build_source(const Request&) { throw Error("no source yet"); } }
