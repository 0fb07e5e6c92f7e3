#include "schema/rules/problem_kinds.h"

namespace knead::schema {
namespace {

constexpr ProblemKind kKinds[] = {
    {"alias-cycle",
     "An alias (`*name`) stands inside the value that its anchor names, so that it would contain "
     "itself."},
    {"argument-type",
     "The source of the model annotates an argument with a type, and `model.args` gives it a value "
     "of "
     "another. Reported only where the annotation is one of Python's own types or a dataclass."},
    {"average-too-slow",
     "An average forgets half of what it holds in its half-life, ln 0.5 / ln decay updates. When "
     "the run is shorter, it "
     "stays near the first weights."},
    {"bad-columns",
     "A range of columns is \"begin:end\" with begin before end. Columns are also named by one "
     "number or "
     "by a name of the header."},
    {"bad-encoding",
     "A recipe is UTF-8 text without control characters. A byte order mark is fine."},
    {"bad-format",
     "A text does not look like what its key needs: the name of a run, a path, a name, a SHA-256, "
     "SET/METRIC, one character."},
    {"bad-override",
     "An argument after the recipe is `key.path=value`. Items of a list are counted from 0."},
    {"bad-pattern",
     "`match` of a rename is a regular expression as ECMAScript has them; in `with`, $1 is the "
     "text "
     "that the first parentheses matched."},
    {"batch-divisible",
     "`batch.size` is a multiple of `batch.micro`. The size decides the result and stays; the hint "
     "names the nearest micro that divides it, and the nearest sizes. It is at least "
     "`distributed.ranks`: each rank takes a share of every batch."},
    {"batch-too-large",
     "There are fewer rows than one batch takes. With `drop_last` no step would ever be taken."},
    {"deprecated-key",
     "The key still works and will be taken away; the hint says what to write instead."},
    {"duplicate-category",
     "A word stands twice in `categories` or `classes`: it would be the number of its first place, "
     "and "
     "the second would be a class without samples."},
    {"duplicate-key",
     "YAML readers disagree about which of two equal keys counts, so neither does."},
    {"duplicate-metric",
     "Two metrics of the same name would overwrite each other; so would a metric that is called "
     "like "
     "another number of an evaluation: loss, step, set, seconds."},
    {"duplicate-sink",
     "A kind of sink stands twice in `track.to`: both would write the same files."},
    {"duplicate-unit",
     "A pattern stands twice in `distributed.units`, or another one covers it: a module is "
     "gathered "
     "with one unit."},
    {"empty-prompt",
     "A language model goes on from what is there. A prompt has at least one character; a line "
     "break is one."},
    {"empty-recipe", "The file holds nothing but white space and comments."},
    {"empty-value",
     "`key:` with nothing behind it is mostly a slip. `null` says that the key is left out."},
    {"env-form", "Only `${env:NAME}` is replaced. `$${NAME}` is the text `${NAME}`."},
    {"env-syntax", "A reference to the environment is `${env:NAME}` or `${env:NAME:-default}`."},
    {"env-unset",
     "The environment variable is not set and the reference has no default; or what it holds is no "
     "text. "
     "As in a shell, the default also stands in for an empty variable."},
    {"evaluation-never",
     "The run ends before the first evaluation falls due; only the one at the end happens."},
    {"expect-bounds",
     "An expectation has `at_least`, `at_most` or both, or `equals`, or a `baseline`; and some "
     "number must satisfy it."},
    {"extends-cycle", "A recipe extends itself, directly or through others."},
    {"extends-depth", "At most 8 levels and 64 files may extend one another."},
    {"field-dtype",
     "The loss needs another type of target: cross_entropy, nll and ctc whole class numbers "
     "(`dtype: "
     "int64`), cross_entropy also a row of probabilities; mse and its like floating-point "
     "numbers."},
    {"gather-rounds",
     "`gather: bf16` sends parameters with 8 significant bits. A model that computes in fp16, "
     "which "
     "has 11, loses "
     "the others."},
    {"generate-needs-text",
     "`evaluate.generate` needs a language model and a tokenizer: data of type `text`, or of type "
     "`tokens` and the tokenizer.json that `generate.tokenizer` names."},
    {"goal-reversed",
     "A loss is better when it is low and an accuracy when it is high; this expectation only fails "
     "when "
     "the metric is very good."},
    {"leading-zero",
     "`012` is 12 in YAML 1.2 and 10 in YAML 1.1, and may be meant as text. Write `12` or "
     "`\"012\"`. "
     "This is where knead deviates from YAML 1.2's core schema."},
    {"like-cycle", "Sets of data are like one another in a circle."},
    {"like-unknown", "`like` names another set beside this one: train, validation or test."},
    {"merge-value", "`<<` merges one block of keys, or a list of blocks."},
    {"metric-mismatch",
     "The metric compares classes, and the loss has none; or the metric compares numbers, and the "
     "loss is one of classes. Where a model has several outputs, the metric says which `target` "
     "and "
     "`output` it is about."},
    {"metric-target",
     "A loss of the model's own, or of a script, need not name a target. A metric that compares "
     "the "
     "output with one must then name it itself."},
    {"missing-argument",
     "The class of the model, or a dataclass that it takes, has an argument without a default that "
     "`model.args` does not give."},
    {"missing-file",
     "A file that the recipe names is not there or cannot be read. Paths are relative to the file "
     "that "
     "names them; those in arguments to the current directory."},
    {"missing-key",
     "A block lacks a key that it cannot do without. Reported at the key of the block, at the top "
     "in line "
     "1."},
    {"mix-fields",
     "The samples of a mix are batched together: its sets have the same fields, of the same type "
     "and shape."},
    {"model-failed",
     "A model's source is right as text, and something in it went wrong when it was run or "
     "compiled: "
     "the place is the line of the model's file, with the calls that led there below."},
    {"model-refused",
     "The source is Python that the language of models leaves out: `try`, `global`, `yield`, "
     "bytes. "
     "The hint says what to write instead."},
    {"model-syntax",
     "The source of a model is not Python 3.11, or is no text that could be: another encoding than "
     "UTF-8, more than 1 MiB, more than 100 levels of nesting."},
    {"needs-other-key", "The key means nothing without another one."},
    {"needs-validation",
     "There is nothing to evaluate without `data.validation`, and nothing is best."},
    {"no-input",
     "The data has no field that the model could be given, or it is not clear which one a "
     "parameter "
     "of forward is given: `model.inputs` says it."},
    {"not-finite", "The key needs a number; `.inf` and `.nan` are none."},
    {"not-pinned",
     "An archive holds code that is run as it is. With `model.sha256` it is the file that was "
     "meant, "
     "or an error."},
    {"not-together", "Two keys exclude each other."},
    {"out-of-range",
     "A number is outside the bounds of its key, does not fit in 64 bits, or counts things and is "
     "not "
     "whole."},
    {"phase-shape",
     "A phase's shape cannot do what its ends say: a constant one changes nothing, an exponential "
     "and an inverse root "
     "are never 0."},
    {"phases-length",
     "The phases of a schedule end after the run, which is an error, or before it, which is a "
     "warning: the last factor "
     "then stays."},
    {"profile-empty", "`profile.steps` is [first, last], and the last is not before the first."},
    {"profile-outside",
     "Steps that `profile` names come after the end of the run: their profile is never made."},
    {"random-evaluation",
     "A random transform stands at a set that is evaluated. It is left out there, and a crop takes "
     "the "
     "middle, so that evaluations are the same each time."},
    {"replicas-divide",
     "`distributed.replicas` divides the number of all ranks: each replica holds one whole model "
     "in "
     "shares. `distributed.ranks` counts those of one machine."},
    {"rows-by-class",
     "Images of a folder per class are sorted by class: a part of their rows is not like the "
     "whole. "
     "`hold_out` draws one that is."},
    {"rows-empty", "`rows` is [begin, end): the end comes after the begin and is not part of it."},
    {"rows-overlap",
     "Rows that are trained on are evaluated too, so that the numbers are better than they should "
     "be."},
    {"samples-need-losses",
     "`evaluate.samples` orders predictions by the loss of each sample. A model that computes its "
     "own loss, and a loss that takes two outputs, have none of a sample by itself."},
    {"schedule-needs-over",
     "A schedule that falls, or a share of the run, needs to know how many steps there are; a time "
     "does not say. `schedule.over` does."},
    {"schedule-too-long",
     "What a schedule does at its begin and at its end is longer than the whole."},
    {"secret-written",
     "A secret is only ever an `${env:NAME}`: what is written down is copied, committed and "
     "logged."},
    {"several-documents", "A recipe is one YAML document; `---` begins another."},
    {"shape-mismatch", "The product of a field's shape is the number of its columns."},
    {"sweep-key",
     "A swept key tells trials apart. Keys that change nothing in what is computed cannot be "
     "swept, "
     "nor a key together with a block that it is part of."},
    {"sweep-prune",
     "A trial is judged where it has been evaluated and before it ends: `prune.first` is not "
     "before "
     "the first evaluation, and before the end of the run."},
    {"sweep-size",
     "A search knows how many points it has: a grid by its values, of ranges by `points`, the "
     "others by `trials`. There are at most 1,000,000 trials, and not more than different points."},
    {"sweep-space",
     "A sweep is over at least one key. Each has either a list of values or one range, whose first "
     "number is below the second. The items of `list` have the same keys."},
    {"sweep-value", "A value stands twice among those of a key, or an item twice in a list."},
    {"tab-indentation", "YAML indents with spaces."},
    {"too-large",
     "At most 1 MiB, 64 levels and 50,000 values, aliases counted as what they stand for: more is "
     "a mistake "
     "or an attack."},
    {"too-many-problems", "After 1,000 problems the others are counted only."},
    {"unit-missing", "A number alone does not say what it counts: steps, epochs, minutes."},
    {"unknown-argument",
     "The class of the model, a dataclass that it takes, or its forward, which `model.inputs` "
     "names "
     "parameters of, has no argument of this name."},
    {"unknown-choice", "The key takes one of a few words."},
    {"unknown-class",
     "The source of the model has no such class, or none that is below `nn.Module`."},
    {"unknown-field", "The key names a field that the data does not have."},
    {"unknown-key",
     "The block does not know the key, which would otherwise be silently ignored. The hint names "
     "the "
     "nearest key, the block that has a key of this name, or what a key of another trainer is "
     "called here."},
    {"unknown-metric",
     "The metric is never computed: the set is not there, or `evaluate.metrics` does not name it."},
    {"unknown-tag", "Only the tags of YAML's core schema are known."},
    {"unknown-unit", "The word after the number is no unit."},
    {"warmup-too-long",
     "The learning rate would still be rising when the run, or the schedule, ends."},
    {"wrong-length", "A list has too few or too many items."},
    {"wrong-type",
     "The value is of another type than its key needs. One text means the same everywhere: `yes`, "
     "`on`, "
     "`1_000` and quoted numbers are text."},
    {"wrong-unit", "The quantity is a unit that this key, or this data, cannot count in."},
    {"yaml-syntax",
     "The text is not YAML. The place is where reading had to stop; the mistake may be a line "
     "above."},
};

}  // namespace

std::span<const ProblemKind> problem_kinds() { return kKinds; }

}  // namespace knead::schema
