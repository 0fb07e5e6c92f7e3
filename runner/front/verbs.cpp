#include "runner/front/verb.h"

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
      {"plan",
       "shows all that follows from a recipe, and trains nothing",
       "FILE [KEY=VALUE …]",
       "knead plan recipes/digits.yaml batch=64",
       {{"format", {"text", "json"}, "how it is printed (default: text)"}},
       plan},
      {"lint",
       "shows every problem of every file",
       "FILE … [KEY=VALUE …]",
       "knead lint recipes/*.yaml",
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
       "lists runs: how far they are, their best values, their checkpoints",
       "[DIR]",
       "knead runs runs/digits",
       {{"format", {"text", "json"}, "how they are printed (default: text)"}},
       runs},
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
      {"export",
       "writes the best weights of a run for other programs",
       "DIR FILE",
       "knead export --to torchscript runs/digits digits.pt",
       {{"to", {"torchscript", "safetensors", "torch"}, "the format", true}},
       export_verb},
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
         {"accelerate", "transformers", "axolotl", "torchtune"},
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

std::string only_file(const Verb& verb, const Arguments& arguments) {
  if (arguments.files.size() == 1) return arguments.files[0];
  const std::string problem =
      arguments.files.empty() ? "needs a recipe" : "takes one recipe at a time";
  throw Error("'" + verb.name + "' " + problem, "for example: " + verb.example,
              Exit::invalid_recipe);
}

}  // namespace knead::front
