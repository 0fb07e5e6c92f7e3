#include <filesystem>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/scalar.h"
#include "schema/document/yaml_text.h"

namespace knead::peers {
namespace {

/// Returns the type of data of a file by its name, or an empty text if the name does not tell.
std::string type_of_file(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension();
  if (ending == ".csv") return "csv";
  if (ending == ".json" || ending == ".jsonl") return "jsonl";
  return ending == ".txt" ? "text" : "";
}

/// Adds all keys for a part to a line.
void tell(Setting& line, Theirs& theirs, Part part) {
  for (Item* item : theirs.all(part)) line.of(item);
}

void context(Translation& in) {
  Item* item = in.theirs.find(Part::context);
  if (item && number_of(*item).value_or(0) >= 1) {
    in.draft.set("data.train.context", fmt::format("{:.0f}", *number_of(*item))).of(item);
  } else {
    in.draft.leave_open("data.train.context", "tokens in a sample");
  }
  in.theirs.set_idle(Part::context, "data.train.context is said already");
}

/// Opens a text data set with the tokenizer of the model, as language model trainers use it.
void text(Translation& in) {
  in.draft.set("data.train.type", "text");
  tell(in.draft.leave_open("data.train.path", "a file of text, as it is to be learnt"), in.theirs,
       Part::dataset);
  in.draft.set("data.train.tokenizer.type", "bpe");
  tell(in.draft.leave_open("data.train.tokenizer.file", "their tokenizer.json"), in.theirs,
       Part::tokenizer);
  context(in);
}

/// Writes a data set that is read from a file.
void file(Translation& in, Item* train, const std::string& type) {
  in.draft.set("data.train.type", type);
  Setting& path = in.draft.set("data.train.path", schema::text_as_yaml(text_of(*train))).of(train);
  if (std::filesystem::path(text_of(*train)).is_relative()) path.noted("relative to this file");
  if (type == "text") {
    context(in);
  } else {
    // Fields of tables are numbers for knead, while other trainers often read texts from them: only
    // the user knows how one becomes the other.
    Setting& fields =
        in.draft.leave_open("data.train.fields", "what a sample has, by name, as numbers");
    tell(fields, in.theirs, Part::dataset);
    tell(fields, in.theirs, Part::tokenizer);
    tell(fields, in.theirs, Part::context);
  }
}

void train(Translation& in) {
  Item* file_of_theirs = in.theirs.find(Part::train_file);
  const std::string type = file_of_theirs ? type_of_file(text_of(*file_of_theirs)) : "";
  if (!type.empty()) return file(in, file_of_theirs, type);
  if (in.theirs.peer().trains_language_models) return text(in);
  Setting& line =
      in.draft.leave_open("data.train.type", "csv, jsonl, images, text, …, and its keys");
  tell(line, in.theirs, Part::dataset);
  tell(line, in.theirs, Part::train_file);
  tell(line, in.theirs, Part::tokenizer);
  tell(line, in.theirs, Part::context);
}

/// Returns the held-out part as a quantity: "5%" or "200 samples".
std::string held_out(Theirs& theirs) {
  if (const auto percent = theirs.number(Part::validation_percent); percent && *percent > 0)
    return schema::number_text(*percent) + "%";
  const double share = theirs.number(Part::validation_share).value_or(0);
  if (share <= 0) return "";
  return share < 1 ? quantity(100 * share, schema::Unit::percent)
                   : quantity(share, schema::Unit::samples);
}

void validation(Translation& in) {
  Item* file = in.theirs.find(Part::validation_file);
  const std::string share = held_out(in.theirs);
  if (file && in.draft.has("data.train.path")) {
    const std::string path = schema::text_as_yaml(text_of(*file));
    in.draft.set("data.validation", fmt::format("{{like: train, path: {}}}", path)).of(file);
  } else if (!share.empty()) {
    Setting& line =
        in.draft.set("data.validation", fmt::format("{{like: train, hold_out: {}}}", share));
    line.of(in.theirs.written(Part::validation_percent));
    line.of(in.theirs.written(Part::validation_share));
  } else if (evaluates(in.theirs)) {
    Setting& line = in.draft.leave_open("data.validation", "such as {like: train, hold_out: 10%}");
    line.of(file);
    tell(line, in.theirs, Part::validation_dataset);
  }
  in.theirs.set_idle(Part::validation_dataset, share.empty()
                                                   ? "nothing is evaluated while training goes on"
                                                   : "data.validation is what is held out");
}

void order(Translation& in) {
  Item* in_order = in.theirs.find(Part::in_order);
  Item* shuffle = in.theirs.find(Part::shuffle);
  if (in_order && truth_of(*in_order) == true) {
    in.draft.set("data.shuffle", "false").of(in_order);
  } else if (shuffle && !shuffle->is_habit && truth_of(*shuffle)) {
    in.draft.set("data.shuffle", *truth_of(*shuffle) ? "true" : "false").of(shuffle);
  }
  if (in.theirs.peer().drops_last) in.draft.set("data.drop_last", "true").noted("as always there");
  if (in.theirs.truth(Part::drop_last) == true)
    in.draft.set("data.drop_last", "true").of(in.theirs.find(Part::drop_last));
}

void reading(Translation& in) {
  const std::optional<double> workers = in.theirs.number(Part::workers);
  Item* item = in.theirs.find(Part::workers);
  if (workers && *workers >= 0 && item)
    // PyTorch reads in the training process with 0 workers, and so does knead.
    in.draft.set("data.workers", fmt::format("{:.0f}", *workers)).of(item);
  const std::optional<double> each = in.theirs.number(Part::prefetch_per_worker);
  if (!each || *each < 1) return;
  // PyTorch's prefetch_factor counts batches of each worker, data.prefetch all that are read ahead.
  const double all = *each * std::max(1.0, workers.value_or(1));
  Setting& line = in.draft.set("data.prefetch", fmt::format("{:.0f}", all));
  line.of(in.theirs.find(Part::prefetch_per_worker));
  if (all > *each) line.noted("of each worker");
}

}  // namespace

void translate_data(Translation& in) {
  train(in);
  validation(in);
  Item* test = in.theirs.find(Part::test_file);
  if (test && in.draft.has("data.train.path")) {
    const std::string path = schema::text_as_yaml(text_of(*test));
    in.draft.set("data.test", fmt::format("{{like: train, path: {}}}", path)).of(test);
  }
  order(in);
  reading(in);
}

}  // namespace knead::peers
