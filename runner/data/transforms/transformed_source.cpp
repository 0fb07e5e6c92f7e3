#include "runner/data/transforms/transformed_source.h"

#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/trace/watch.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

std::string names_of(const std::vector<Field>& fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Reads one field of row `i` of a request.
Value value_of(const Source& source, std::size_t field, const Request& request, std::uint64_t i) {
  Value value{source.fields()[field], {}, {}};
  const std::size_t bytes = value.field.bytes_per_sample();
  std::byte* memory = nullptr;
  if (value.field.dtype == Dtype::float32) {
    value.numbers.resize(bytes / sizeof(float));
    memory = reinterpret_cast<std::byte*>(value.numbers.data());
  } else {
    value.bytes.resize(bytes);
    memory = value.bytes.data();
  }
  source.read(field, request.part(i, 1), memory);
  return value;
}

}  // namespace

TransformedSource::TransformedSource(std::shared_ptr<const Source> source,
                                     std::vector<recipe::Transform> transforms, std::uint64_t seed,
                                     bool is_training, const std::string& key, bool has_all_fields)
    : source_(std::move(source)),
      transforms_(std::move(transforms)),
      seed_(seed),
      is_training_(is_training),
      has_all_fields_(has_all_fields),
      fields_(source_->fields()),
      steps_(fields_.size()) {
  for (std::uint32_t i = 0; i < transforms_.size(); ++i) add(i, key);
}

void TransformedSource::add(std::uint32_t transform, const std::string& key) {
  const recipe::Transform& added = transforms_[transform];
  const std::string name = fmt::format("{}.{} ({})", key, transform, recipe::kind_of(added));
  for (const std::size_t place : places_of(added, name)) {
    fields_[place] = after(added, fields_[place], name);
    steps_[place].push_back({transform, fields_[place], name});
  }
}

std::vector<std::size_t> TransformedSource::places_of(const recipe::Transform& transform,
                                                      const std::string& name) const {
  std::vector<std::size_t> places;
  if (const auto& names = named_fields(transform)) {
    for (const std::string& wanted : *names) {
      std::size_t place = 0;
      while (place < fields_.size() && fields_[place].name != wanted) ++place;
      if (place == fields_.size()) {
        throw Error(fmt::format("{}: there is no field '{}'", name, wanted),
                    "the fields are: " + names_of(fields_), Exit::invalid_recipe);
      }
      places.push_back(place);
    }
    return places;
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (may_mean(transform, fields_[i])) places.push_back(i);
  }
  if (places.size() == 1 || (places.empty() && !has_all_fields_)) return places;
  throw Error(fmt::format("{} fits {} of the fields", name, places.empty() ? "none" : "several"),
              "write field, one or several of: " + names_of(fields_), Exit::invalid_recipe);
}

void TransformedSource::transform(const Step& step, const Request& request, std::uint64_t i,
                                  Value& value) const {
  const trace::Span span(recipe::kind_of(transforms_[step.transform]));
  try {
    Draw draw(seed_, request.epoch, request.first + i, step.transform);
    apply(transforms_[step.transform], is_training_ ? &draw : nullptr, value, step.after);
  } catch (const Error& error) {
    throw Error(fmt::format("{}, sample {}: {}", step.name, request.rows[i], error.what()),
                error.remedy());
  }
}

void TransformedSource::read(std::size_t field, const Request& request,
                             std::byte* destination) const {
  // Without transforms the whole batch is read with one call, as from the source itself.
  if (steps_[field].empty()) return source_->read(field, request, destination);
  const std::size_t bytes = fields_[field].bytes_per_sample();
  for (std::uint64_t i = 0; i < request.rows.size(); ++i) {
    Value value = value_of(*source_, field, request, i);
    for (const Step& step : steps_[field]) transform(step, request, i, value);
    const auto* made = value.field.dtype == Dtype::float32
                           ? reinterpret_cast<const std::byte*>(value.numbers.data())
                           : value.bytes.data();
    std::memcpy(destination, made, bytes);
    destination += bytes;
  }
}

std::shared_ptr<const Source> transformed(std::shared_ptr<const Source> source,
                                          const std::vector<recipe::Transform>& transforms,
                                          std::uint64_t seed, bool is_training,
                                          const std::string& set, bool has_all_fields) {
  if (transforms.empty()) return source;
  return std::make_shared<const TransformedSource>(std::move(source), transforms, seed, is_training,
                                                   set + ".transforms", has_all_fields);
}

}  // namespace knead::data
