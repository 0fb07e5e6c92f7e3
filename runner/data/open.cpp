#include "runner/data/open.h"

#include "runner/data/csv.h"

namespace knead::data {
namespace {

std::shared_ptr<const Source> open_kind(const recipe::Csv& csv, Opening& /*opening*/) {
  return std::make_shared<const Table>(read_csv(csv));
}

}  // namespace

std::shared_ptr<const Source> open(const recipe::DataSet& set, Opening& opening) {
  return std::visit([&](const auto& kind) { return open_kind(kind, opening); }, set);
}

}  // namespace knead::data
