#include "schema/table/read.h"

namespace knead::schema {
namespace {

// Validation has compared the unit with those of the key, so reading accepts every unit.
constexpr Unit kEveryUnit[] = {Unit::steps,   Unit::epochs,      Unit::samples,
                               Unit::tokens,  Unit::evaluations, Unit::seconds,
                               Unit::percent, Unit::bytes,       Unit::rows};

}  // namespace

void read(const Node& node, bool& out) { out = node.boolean; }
void read(const Node& node, std::int64_t& out) { out = node.integer; }
void read(const Node& node, double& out) { out = node.number; }
void read(const Node& node, std::string& out) { out = node.text; }
void read(const Node& node, std::filesystem::path& out) { out = node.text; }
void read(const Node& node, Node& out) { out = node; }

void read(const Node& node, Quantity& out) {
  // Validation leaves a number without a unit only if it counts rows.
  if (node.kind != Node::Kind::text) {
    out = {node.number, Unit::rows};
  } else {
    out = std::get<Quantity>(read_quantity(node.text, kEveryUnit));
  }
}

void read(const Node& node, std::variant<std::int64_t, std::string>& out) {
  if (node.kind == Node::Kind::integer) {
    out = node.integer;
  } else {
    out = node.text;
  }
}

void read(const Node& node, std::variant<std::string, std::int64_t>& out) {
  if (node.kind == Node::Kind::integer) {
    out = node.integer;
  } else {
    out = node.text;
  }
}

}  // namespace knead::schema
