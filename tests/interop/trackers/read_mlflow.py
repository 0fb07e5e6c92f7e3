"""Prints what a server has of the run that a folder is, as JSON: read_mlflow.py URL FOLDER. Runs in the environment of mlflow."""

import json
import pathlib
import sys

from mlflow.tracking import MlflowClient

url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
key = json.loads((folder / "mlflow.json").read_text())["key"]
client = MlflowClient(url)
experiments = [each.experiment_id for each in client.search_experiments()]
runs = client.search_runs(experiments, filter_string=f"tags.`knead.key` = '{key}'")
assert len(runs) == 1, f"{len(runs)} runs have the key of {folder}"
run = runs[0]
points = [[each.key, each.step, each.value] for name in run.data.metrics for each in client.get_metric_history(run.info.run_id, name)]
files = [each.path for each in client.list_artifacts(run.info.run_id)] + [each.path for each in client.list_artifacts(run.info.run_id, "export")]
print(json.dumps({"points": points, "params": run.data.params, "status": run.info.status, "name": run.info.run_name, "files": files,
                  "experiment": client.get_experiment(run.info.experiment_id).name, "id": run.info.run_id,
                  "parent": run.data.tags.get("mlflow.parentRunId")}))
