"""What a sweep leaves behind, as other programs read it: Optuna the journal, junitparser the report, Python's csv and
json the tables.

usage: sweep_texts_test.py SWEEP_TEXTS
"""

import csv
import datetime
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import junitparser
import optuna
from optuna.storages.journal import JournalFileBackend

optuna.logging.set_verbosity(optuna.logging.ERROR)


def check_journal(path, copy):
    storage = optuna.storages.JournalStorage(JournalFileBackend(str(path)))
    study = optuna.load_study(study_name="digits", storage=storage)
    complete, pruned, failed = (
        optuna.trial.TrialState.COMPLETE,
        optuna.trial.TrialState.PRUNED,
        optuna.trial.TrialState.FAIL,
    )
    assert study.direction == optuna.study.StudyDirection.MINIMIZE
    assert [trial.state for trial in study.trials] == [complete, complete, failed, pruned]
    assert [trial.user_attrs["point"] for trial in study.trials] == [0, 1, 2, 3]

    best = study.best_trial
    assert best.number == 0 and best.value == 0.25
    assert best.params == {"optimizer.lr": 0.01, "model.args.activation": "relu", "model.args.width": 32}
    assert best.intermediate_values == {10: 1.0, 20: 0.25, 30: 0.3125}
    assert best.duration == datetime.timedelta(seconds=1.5)
    assert best.distributions == {
        "optimizer.lr": optuna.distributions.FloatDistribution(1e-4, 0.1, log=True),
        "model.args.activation": optuna.distributions.CategoricalDistribution(["relu", 'a, "b"']),
        "model.args.width": optuna.distributions.IntDistribution(16, 64),
    }
    assert study.trials[1].params["model.args.activation"] == 'a, "b"'
    assert study.trials[2].intermediate_values == {10: 2.5} and study.trials[2].value is None
    assert study.trials[3].intermediate_values == {10: 2.0} and study.trials[3].value == 2.0

    # What Optuna has read it can go on from: it proposes a trial and writes it behind ours.
    copy.write_bytes(path.read_bytes())
    storage = optuna.storages.JournalStorage(JournalFileBackend(str(copy)))
    study = optuna.load_study(
        study_name="digits", storage=storage, sampler=optuna.samplers.TPESampler(seed=0, n_startup_trials=1)
    )
    study.optimize(
        lambda trial: trial.suggest_float("optimizer.lr", 1e-4, 0.1, log=True)
        + trial.suggest_int("model.args.width", 16, 64)
        + len(trial.suggest_categorical("model.args.activation", ["relu", 'a, "b"'])),
        n_trials=1,
    )
    assert len(study.trials) == 5 and study.trials[4].state == complete


def check_junit(path):
    report = junitparser.JUnitXml.fromfile(str(path))
    (suite,) = list(report)
    assert (suite.tests, suite.failures, suite.errors, suite.skipped, suite.time) == (11, 1, 1, 4, 10.5)
    results = {}
    for case in suite:
        assert case.name not in results, case.name
        results[case.name] = [type(result).__name__ for result in case.result]
    assert sum(results.values(), []) == ["Failure", "Error"] + ["Skipped"] * 4, results
    (error,) = [case for case in suite if case.result and isinstance(case.result[0], junitparser.Error)]
    assert error.result[0].message == "exit code 5: error: the loss is <NaN> at step 20"
    assert error.result[0].text.splitlines()[1:] == ["step 20 of 40", "error: the loss is <NaN> at step 20"]


def check_tables(lines, table):
    trials = [json.loads(line) for line in lines.read_text().splitlines()]
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [trial["point"] for trial in trials] == list(range(7)) == [int(row["point"]) for row in rows]
    for trial, row in zip(trials, rows):
        assert row["id"] == trial["id"] and row["state"] == trial["state"]
        assert float(row["optimizer.lr"]) == trial["values"]["optimizer.lr"]
        assert row["model.args.activation"] == trial["values"]["model.args.activation"]
        assert float(row["best"] or math.nan) == trial["best"] or trial["best"] is None and not row["best"]
    assert trials[2]["objective"] == [[10, 2.5], [20, "NaN"]]
    assert list(trials[0])[-1] == "seconds" == list(rows[0])[-1], "times come last"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], folder], check=True)
        check_journal(folder / "optuna.journal", folder / "copy")
        check_junit(folder / "junit.xml")
        check_tables(folder / "sweep.jsonl", folder / "sweep.csv")
    print("Optuna, junitparser and Python read what a sweep leaves behind")


main()
