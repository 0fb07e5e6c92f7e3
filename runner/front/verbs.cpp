#include "runner/front/verb.h"

#include <fmt/format.h>

#include "runner/front/line/guesses.h"
#include "schema/document/error.h"

namespace knead::front {

const std::vector<Verb>& verbs() {
  // Verbs of everyday use come first, because `knead help` keeps this order.
  static const std::vector<Verb> all{
      {"run",
       "trains what a recipe says",
       "FILE [KEY=VALUE …]",
       "knead run recipes/digits.yaml batch.micro=8",
       {{"fresh", {}, "start over; an old run is kept under another name"},
        {"emit",
         {"slurm", "k8s"},
         "prints the script with which a cluster runs it, and trains nothing. A node\n"
         "of Slurm gets distributed.ranks ranks, and sbatch --nodes=N says how many\n"
         "nodes; Kubernetes gets a pod for each of distributed.ranks"}},
       run},
      {"sweep",
       "trains the trials of a recipe's block sweep, each an ordinary run",
       "FILE [KEY=VALUE …]",
       "knead sweep recipes/digits-sweep.yaml --jobs 2",
       {{"emit",
         {"slurm", "k8s"},
         "prints the script with which a cluster runs the shards, and trains nothing"},
        {"jobs",
         {},
         "how many trials train at once (default: one for each core, or fewer where\n"
         "a trial takes several; on GPUs, as many as have their own)",
         false,
         "N"},
        {"shard", {}, "trains the trials of one part of N, by their ids: 1/N to N/N", false, "I/N"},
        {"dry", {}, "prints the trials with their states, and trains nothing"},
        {"junit", {}, "writes a case for each trial and each expectation", false, "FILE"},
        {"matrix",
         {},
         "prints the matrix of a GitHub workflow of N shards, and trains nothing",
         false,
         "N"}},
       sweep_verb},
      {"plan",
       "shows all that follows from a recipe, and trains nothing",
       "FILE [KEY=VALUE …]",
       "knead plan recipes/digits.yaml batch=64",
       {{"format", {"text", "json"}, "how it is printed (default: text)"}},
       plan},
      {"lint",
       "shows every problem of every file",
       "FILE|DIR|- … [KEY=VALUE …]",
       "knead lint recipes",
       {{"format",
         {"text", "json", "sarif", "github", "junit", "rdjsonl"},
         "how problems are printed (default: text)"},
        {"strict", {}, "warnings are errors"}},
       lint},
      {"render",
       "prints a recipe as it is understood",
       "FILE [KEY=VALUE …]",
       "knead render recipes/digits.yaml optimizer.lr=0.01 --origin",
       {{"origin", {}, "with the place that each value comes from"}},
       render},
      {"explain",
       "says what a key means, and what it is in a recipe",
       "KEY [FILE [KEY=VALUE …]]",
       "knead explain optimizer.lr recipes/digits.yaml",
       {},
       explain},
      {"schema",
       "prints the language for editors, or as a page",
       "",
       "knead schema > recipe.schema.json",
       {{"format", {"json", "markdown"}, "JSON Schema draft-07, or the reference (default: json)"}},
       schema_verb},
      {"runs",
       "lists runs: how far they are, their best values, in what they differ",
       "[DIR]",
       "knead runs runs/digits",
       {{"format", {"text", "json"}, "how they are printed (default: text)"}},
       runs},
      {"report",
       "writes a page on a run, on several, or on a sweep",
       "DIR …",
       "knead report runs/digits",
       {{"html",
         {},
         "where the page is written, - for standard output (default: report.html in\n"
         "the first folder)",
         false,
         "FILE"},
        {"markdown",
         {},
         "writes the same in short, for a pull request or the summary of a CI job",
         false,
         "FILE"}},
       report_verb},
      {"board",
       "shows runs in a browser on this machine, as they go on",
       "[DIR]",
       "knead board runs",
       {{"port", {}, "where it listens (default: any port that is free)", false, "N"}},
       board_verb},
      {"watch",
       "shows curves and the table of runs on the terminal, as they go on",
       "[DIR]",
       "knead watch runs/digits",
       {},
       watch},
      {"verify",
       "reads every checkpoint of a run and finds damage",
       "DIR",
       "knead verify runs/digits",
       {},
       verify},
      {"evaluate",
       "computes the loss and the metrics of a run's best weights",
       "DIR [KEY=VALUE …]",
       "knead evaluate runs/digits --set validation evaluate.metrics=[accuracy,f1]",
       {{"set", {"train", "validation", "test"}, "the set (default: validation and test)"},
        {"format", {"text", "json"}, "how the numbers are printed (default: text)"}},
       evaluate},
      {"predict",
       "writes what a run's best weights make of a set, or of another file",
       "DIR [KEY=VALUE …]",
       "knead predict --data validation --out predictions.csv runs/digits",
       {{"data",
         {},
         "train, validation, test; or a file that is read as train is",
         true,
         "SET|FILE"},
        {"out", {}, "a file .csv, .jsonl, .npy or .safetensors", true, "FILE"}},
       predict},
      {"generate",
       "writes text with the language model of a run",
       "DIR [KEY=VALUE …]",
       "knead generate runs/gpt --prompt 'ROMEO:' --tokens 200 generate.temperature=0.8",
       {{"prompt", {}, "what the text begins with", false, "TEXT"},
        {"prompts", {}, "a file with a prompt on each line", false, "FILE"},
        {"tokens", {}, "how many tokens to write (default: 200)", false, "N"},
        {"format", {"text", "json"}, "how the text is printed (default: text)"}},
       generate},
      {"export",
       "writes the best weights of a run for other programs",
       "DIR FILE [KEY=VALUE …]",
       "knead export --to torchscript runs/digits digits.pt",
       {{"to", {"torchscript", "safetensors", "torch"}, "the format", true}},
       export_verb},
      {"track",
       "gives a sink what it lacks of a run or a sweep",
       "DIR [KEY=VALUE …]",
       "knead track runs/digits --to mlflow url=http://127.0.0.1:5000",
       {{"to",
         {"tensorboard", "csv", "mlflow", "wandb", "dvclive", "prometheus"},
         "the kind of the sink, as `track.to` has it; its keys may be written behind DIR",
         true}},
       track_verb},
      {"new",
       "copies a recipe with its model and data here, ready to run",
       "[NAME]",
       "knead new digits",
       {{"list", {}, "what there is to start from; the same without a name"}},
       new_verb},
      {"import",
       "writes the recipe that a file of another trainer corresponds to",
       "FILE",
       "knead import training_args.json > recipe.yaml",
       {{"from",
         {"accelerate", "transformers", "axolotl", "torchtune", "deepspeed"},
         "whose file it is, where its keys do not tell"},
        {"processes", {}, "how many processes its run had, if the file does not say", false, "N"}},
       import_verb},
      {"bench",
       "measures the steps of a recipe, and says where their time goes",
       "FILE [KEY=VALUE …]",
       "knead bench recipes/digits.yaml threads=1",
       {{"format", {"text", "json"}, "how it is printed (default: text)"}},
       bench},
      {"completion",
       "prints what makes a shell complete verbs, options, keys and their values",
       "bash|zsh|fish",
       "source <(knead completion bash)",
       {},
       completion},
      {"env", "prints versions and devices, for a bug report", "", "knead env", {}, env},
      {"help", "shows the verbs, or one of them", "[VERB]", "knead help lint", {}, help},
  };
  return all;
}

const Verb* find_verb(const std::string& name) {
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

const Verb& named_verb(const std::string& name) {
  if (const Verb* verb = find_verb(name)) return *verb;
  if (name.ends_with(".yaml") || name.ends_with(".yml")) {
    throw Error(fmt::format("'{}' is no verb", name),
                fmt::format("to train it: knead run {}", name), Exit::invalid_recipe);
  }
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  throw Error(fmt::format("there is no verb '{}'", name), verb_hint(name, names),
              Exit::invalid_recipe);
}

std::string only_file(const Verb& verb, const Arguments& arguments) {
  if (arguments.files.size() == 1) return arguments.files[0];
  const std::string problem =
      arguments.files.empty() ? "needs a recipe" : "takes one recipe at a time";
  throw Error("'" + verb.name + "' " + problem, "for example: " + verb.example,
              Exit::invalid_recipe);
}

}  // namespace knead::front
