#include "runner/checkpoint/manifest.h"

#include <cmath>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/files/bounded_json.h"
#include "schema/document/json_text.h"

namespace knead::checkpoint {

namespace {

constexpr const char* kFormat = "knead checkpoint";
// Programs that read only version 1 would take a checkpoint of several ranks for a damaged one.
constexpr int kVersion = 1;
constexpr int kVersionOfShards = 2;

std::string last_line(const std::string& digest) {
  return fmt::format(" \"digest\": \"{}\"\n}}\n", digest);
}

/// Replaces NaN and infinities, which JSON lacks, by strings.
nlohmann::json with_words(nlohmann::json json) {
  if (json.is_structured()) {
    for (nlohmann::json& value : json) value = with_words(std::move(value));
  } else if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    const double number = json;
    json = std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }
  return json;
}

nlohmann::ordered_json as_json(const Manifest& manifest) {
  nlohmann::ordered_json json;
  json["format"] = kFormat;
  json["version"] = manifest.files.contains(kIndexFile) ? kVersionOfShards : kVersion;
  json["run"] = manifest.run;
  json["parent"] = nullptr;
  if (manifest.parent) {
    json["parent"] = {{"step", manifest.parent->step}, {"digest", manifest.parent->digest}};
  }
  json["step"] = manifest.step;
  json["files"] = nlohmann::ordered_json::object();
  for (const auto& [name, facts] : manifest.files) {
    json["files"][name] = {{"size", facts.size}, {"digest", facts.digest}};
  }
  json["tensors"] = manifest.tensors;
  json["finite"] = true;  // says nothing; programs that read version 1 expect the key
  json["facts"] = manifest.facts;
  return json;
}

Manifest from_json(const nlohmann::json& json) {
  Manifest out;
  out.run = json.at("run");
  out.step = json.at("step");
  out.tensors = json.at("tensors");
  out.facts = json.at("facts");
  out.digest = json.at("digest");
  const nlohmann::json& parent = json.at("parent");
  if (!parent.is_null()) out.parent = {parent.at("step"), parent.at("digest")};
  for (const auto& [name, facts] : json.at("files").items()) {
    // Names are checked, because they become paths of files.
    if (name != kStateFile && name != kIndexFile && !is_tensor_file(name)) {
      throw Damaged(
          fmt::format("manifest.json names {}, which is neither tensors nor state", name));
    }
    out.files[name] = {facts.at("size"), facts.at("digest")};
  }
  return out;
}

/// Returns the text above the last line. Throws Damaged if the last line does not hold its digest.
std::string checked_head(const std::string& text) {
  const std::size_t size = last_line(files::digest("")).size();
  if (text.size() < size) throw Damaged("manifest.json is cut short");
  std::string head = text.substr(0, text.size() - size);
  if (text.substr(head.size()) != last_line(files::digest(head))) {
    throw Damaged("manifest.json is not as it was written: its last line is not its digest");
  }
  return head;
}

/// Parses the text of a manifest. Throws Damaged if it describes more than any manifest does.
nlohmann::json parse_within_budget(const std::string& text) {
  files::Budget budget(kManifestFile);
  try {
    return files::parse_bounded_json(text, budget);
  } catch (const Error& beyond) {
    throw Damaged(beyond.what());
  }
}

}  // namespace

std::uint64_t bytes_of(const Manifest& manifest) {
  std::uint64_t bytes = 0;
  for (const auto& [name, facts] : manifest.files) bytes += facts.size;
  return bytes;
}

std::string manifest_text(Manifest& manifest) {
  manifest.facts = with_words(std::move(manifest.facts));
  std::string text = schema::json_text(as_json(manifest), 1);
  // Opens the object again, so that the digest of the text above becomes its last line.
  text.resize(text.size() - std::string_view("\n}").size());
  text += ",\n";
  manifest.digest = files::digest(text);
  return text + last_line(manifest.digest);
}

Manifest read_manifest(const std::string& text) {
  // The digest is compared before JSON is parsed, so that damage is not taken for another version.
  checked_head(text);
  try {
    const nlohmann::json json = parse_within_budget(text);
    if (json.at("format") != kFormat) throw Damaged("manifest.json is of something else");
    if (json.at("version") != kVersion && json.at("version") != kVersionOfShards) {
      throw Error(
          fmt::format("the checkpoint of step {} has format version {}, this knead reads up to {}",
                      schema::json_text(json.at("step")), schema::json_text(json.at("version")),
                      kVersionOfShards),
          "use the knead that wrote it, or a newer one");
    }
    return from_json(json);
  } catch (const nlohmann::json::exception& mistake) {
    throw Damaged(fmt::format("manifest.json cannot be understood: {}", mistake.what()));
  }
}

}  // namespace knead::checkpoint
