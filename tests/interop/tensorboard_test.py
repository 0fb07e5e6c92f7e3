"""What `track.to: [tensorboard, csv]` writes is read by TensorBoard's own readers, over a stop and a resume.

usage: tensorboard_test.py KNEAD ROOT
"""

import base64
import csv
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file
from tensorboard.backend.event_processing import event_accumulator, plugin_event_accumulator
from tensorboard.plugins.hparams import plugin_data_pb2


def json_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_texts(knead, root, folder):
    """The texts of a language model are there by step, behind their prompt, and none of them is Markdown."""
    words = ["data.train.url=null", "data.train.sha256=null", f"data.train.path={root}/README.md", "data.train.tokenizer=bytes", "data.train.context=32"]
    words += ["model.args.config={vocab: 256, context: 32, layers: 1, heads: 2, width: 32}", "train=20 steps", "schedule=null", "expect=[]"]
    words += ["evaluate={every: 10 steps, generate: {prompts: ['*knead* ', a], tokens: 20}}", "track.to=[tensorboard]", f"output={folder}", "name=texts"]
    done = subprocess.run([knead, "run", root / "recipes/gpt.yaml", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    wanted = json_lines(pathlib.Path(folder) / "texts/generated.jsonl")
    reader = plugin_event_accumulator.EventAccumulator(f"{folder}/texts/tensorboard")
    reader.Reload()
    for number, prompt in enumerate(["**\\*knead\\* **", "**a**"]):
        tag = f"generated/{number + 1}"
        assert reader.SummaryMetadata(tag).plugin_data.plugin_name == "text"
        seen = [(event.step, event.tensor_proto.string_val[0].decode()) for event in reader.Tensors(tag)]
        lines = [(each["step"], each["text"]) for each in wanted if each["number"] == number]
        assert seen == [(step, f"{prompt}\n\n    " + text.replace("\n", "\n    ")) for step, text in lines], (seen, lines)


def check_histograms(knead, root, folder):
    """Histograms of parameters are those of the exported weights; pictures are those of the predictions."""
    words = ["train=20 steps", "schedule=null", "evaluate={every: 10 steps, samples: 2}", "expect=[]", f"output={folder}", "name=spread", "export={to: safetensors}"]
    done = subprocess.run([knead, "run", root / "recipes/digits-cnn.yaml", *words, "track.to=[{type: tensorboard, histograms: true}]"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    run_folder = pathlib.Path(folder) / "spread"
    reader = event_accumulator.EventAccumulator(str(run_folder / "tensorboard"), size_guidance={"histograms": 0, "images": 0})
    reader.Reload()
    (path,) = sorted(run_folder.glob("checkpoints/step-00000020/model.safetensors"))
    weights = load_file(path)
    tags = set(reader.Tags()["histograms"])
    names = {tag.removeprefix("parameters/") for tag in tags if tag.startswith("parameters/")}
    assert names and names <= set(weights) and {f"gradients/{name}" for name in names} == tags - {f"parameters/{name}" for name in names}, tags
    for name in names:
        events = reader.Histograms(f"parameters/{name}")
        assert [each.step for each in events] == [10, 20] == [each.step for each in reader.Histograms(f"gradients/{name}")], name
        seen, weight = events[-1].histogram_value, weights[name].double()
        assert seen.num == weight.numel() == sum(seen.bucket) and len(seen.bucket) == len(seen.bucket_limit), seen
        for got, wanted in [(seen.min, weight.min()), (seen.max, weight.max()), (seen.sum, weight.sum()), (seen.sum_squares, weight.square().sum())]:
            assert math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-9), (name, got, wanted)
        counts = torch.histc(weight, 64, weight.min(), weight.max())
        assert len(seen.bucket) == 1 or (torch.tensor(seen.bucket) - counts).abs().sum() <= 2, (name, seen.bucket, counts)
    # Squares of gradients add up to the norm that the run reports, which is that before clipping.
    reported = {each["step"]: each["gradient_norm"] for each in json_lines(run_folder / "metrics.jsonl")}
    for place, step in enumerate([10, 20]):
        squares = sum(reader.Histograms(f"gradients/{name}")[place].histogram_value.sum_squares for name in names)
        assert math.isclose(math.sqrt(squares), reported[step], rel_tol=1e-5), (step, math.sqrt(squares), reported[step])
    shown = json.loads((run_folder / "predictions/step-00000020.json").read_text())
    for kind in ["worst", "best"]:
        for place, each in enumerate(shown[kind]):
            image = reader.Images(f"{shown['set']}/{kind}/{place + 1}")[-1]
            assert image.step == 20 and image.encoded_image_string == base64.b64decode(each["picture"]), (kind, place)
            width, height = struct.unpack(">II", image.encoded_image_string[16:24])
            assert (image.width, image.height) == (width, height) and width > 0, image


def main():
    knead, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        # Training goes on behind the checkpoint of step 100, fails there, and starts again from it.
        engine = pathlib.Path(knead).parent / "knead-engine"
        recipe = root / "recipes/digits.yaml"
        overrides = [f"output={folder}", "threads=1", "track.to=[tensorboard, csv]", "train.until=4 epochs", "expect=[]"]
        stopped = subprocess.run([engine, "run", "--stop-after=100", recipe, "--", *overrides], capture_output=True, text=True)
        assert stopped.returncode == 75, stopped.stderr
        done = subprocess.run([knead, "run", recipe, *overrides], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        run_folder = pathlib.Path(folder) / "digits"
        reports = json_lines(run_folder / "metrics.jsonl")
        evaluations = json_lines(run_folder / "evaluations.jsonl")

        reader = event_accumulator.EventAccumulator(str(run_folder / "tensorboard"))
        reader.Reload()
        scalars = reader.Tags()["scalars"]
        assert {"train/loss", "train/lr", "validation/loss", "validation/accuracy"} <= set(scalars), scalars
        for tag, key in [("train/loss", "loss"), ("train/lr", "lr"), ("train/gradient_norm", "gradient_norm")]:
            seen = [(event.step, event.value) for event in reader.Scalars(tag)]
            wanted = [(report["step"], report[key]) for report in reports]
            assert [step for step, _ in seen] == [step for step, _ in wanted], (tag, seen, wanted)
            assert all(abs(a - b) <= 1e-6 * abs(b) for (_, a), (_, b) in zip(seen, wanted)), tag
        seen = [event.step for event in reader.Scalars("validation/accuracy")]
        assert seen == [each["step"] for each in evaluations if each["set"] == "validation"], seen

        reader = plugin_event_accumulator.EventAccumulator(str(run_folder / "tensorboard"))
        reader.Reload()
        text = reader.Tensors("recipe")[-1].tensor_proto.string_val[0].decode()
        assert "cross_entropy" in text and text.startswith("```yaml\n"), text
        metadata = reader.SummaryMetadata("_hparams_/session_start_info")
        data = plugin_data_pb2.HParamsPluginData.FromString(metadata.plugin_data.content)
        assert metadata.plugin_data.plugin_name == "hparams"
        assert data.session_start_info.hparams["optimizer.lr"].number_value == 1e-3, data
        assert data.session_start_info.hparams["optimizer.type"].string_value == "adamw", data
        metadata = reader.SummaryMetadata("_hparams_/session_end_info")
        data = plugin_data_pb2.HParamsPluginData.FromString(metadata.plugin_data.content)
        assert data.session_end_info.status == 1 and data.session_end_info.end_time_secs > data.session_start_info.start_time_secs, data
        metadata = reader.SummaryMetadata("_hparams_/experiment")
        data = plugin_data_pb2.HParamsPluginData.FromString(metadata.plugin_data.content)
        assert "validation/accuracy" in [info.name.tag for info in data.experiment.metric_infos], data

        rows = list(csv.DictReader((run_folder / "metrics.csv").open()))
        assert [float(row["train/loss"]) for row in rows if row["train/loss"]] == [each["loss"] for each in reports]
        accuracies = [float(row["validation/accuracy"]) for row in rows if row["validation/accuracy"]]
        assert accuracies == [each["accuracy"] for each in evaluations if each["set"] == "validation"], accuracies
        check_texts(knead, root, folder)
        check_histograms(knead, root, folder)


main()
