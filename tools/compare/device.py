"""The Python side of tools/compare/device: what is there, what PyTorch trains, and what the numbers come to.

usage: device.py look cuda|cpu                                   what it will run on; exit code 3 with the reason if it cannot
       device.py tokens FILE COUNT VOCABULARY                    random tokens, as uint16
       device.py train eager|compile cuda|cpu PRECISION STEPS SKIPPED BATCH CONFIG TOKENS
       device.py read METRICS SKIPPED CONTEXT                    what `knead run` reported, as train prints it
       device.py apart RUN RUN                                   how far the losses of two runs are apart
       device.py table FOLDER ROUNDS PRECISION …
CONFIG is JSON: the fields of GPTConfig. train prints one line of JSON.
"""
import contextlib
import json
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time

PROGRAMS = ("eager", "compile", "knead")
SHOWN = 10  # losses are shown as means of so many steps


def driver_version():
    if not shutil.which("nvidia-smi"):
        return "unknown"
    asked = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                           capture_output=True, text=True)
    return (asked.stdout.split() or ["unknown"])[0]


def why_not(device):
    try:
        import torch
    except ImportError as error:
        return f"{sys.executable} has no PyTorch: {error}", "KNEAD_INTEROP_PYTHON names a Python that has."
    if device == "cpu" or torch.cuda.is_available():
        return None
    if torch.version.cuda is None:
        return (f"PyTorch {torch.__version__} is one without CUDA",
                "KNEAD_INTEROP_PYTHON names a Python with another one.")
    return ("there is no GPU that PyTorch can use",
            "Run it where nvidia-smi shows one; 'tools/compare/device cpu' tries the command itself.")


def look(device):
    problem = why_not(device)
    if problem:
        print(*problem, sep="\n")
        sys.exit(3)
    import torch

    if device == "cuda":
        gpu = torch.cuda.get_device_properties(0)
        print(f"gpu        {gpu.name}, {gpu.total_memory / 2**30:.1f} GiB, compute capability {gpu.major}.{gpu.minor}, "
              f"driver {driver_version()}")
    print(f"python     {platform.python_version()}, PyTorch {torch.__version__}, "
          f"CUDA {torch.version.cuda or 'none'}, cuDNN {torch.backends.cudnn.version() or 'none'}")


def make_tokens(path, count, vocabulary):
    import torch

    tokens = torch.randint(int(vocabulary), (int(count),), generator=torch.Generator().manual_seed(1))
    pathlib.Path(path).write_bytes(b"".join(token.to_bytes(2, "little") for token in tokens.tolist()))


def read_tokens(path):
    import torch

    # uint16 has few operations; as int16 the bytes are the same.
    signed = torch.frombuffer(bytearray(pathlib.Path(path).read_bytes()), dtype=torch.int16)
    return signed.long() & 0xFFFF


def batches(tokens, batch, context, device):
    """Endless batches in the order of the tokens, from pinned memory where that helps."""
    size = batch * context
    count = (len(tokens) - 1) // size
    while True:
        for i in range(count):
            cut = tokens[i * size : (i + 1) * size + 1]
            pair = [cut[:-1].view(batch, context), cut[1:].view(batch, context)]
            if device == "cuda":
                pair = [each.pin_memory().to(device, non_blocking=True) for each in pair]
            yield pair


def train(program, device, precision, steps, skipped, batch, config, path):
    """As one would write it by hand; losses are read at the end, so that no step waits for its own."""
    import torch

    import workloads

    steps, skipped, batch, config = int(steps), int(skipped), int(batch), json.loads(config)
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    if device == "cpu":
        torch.set_num_threads(1)
    tokens = read_tokens(path)
    work = workloads.language_model(config, tokens, batch, {"lr": 6e-4, "betas": (0.9, 0.95)})
    work.model.to(device)  # the same parameters, elsewhere: the groups of the optimizer have them already
    optimizer = workloads.optimizer(work)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, work.schedule)

    def loss_of(x, y):
        return work.loss(work.model(x), y)

    if program == "compile":
        loss_of = torch.compile(loss_of)
    autocast = (lambda: torch.autocast(device, dtype=torch.bfloat16)) if precision == "bf16" else contextlib.nullcontext
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    parameters = 0
    if device == "cuda":
        parameters = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()

    source, losses = batches(tokens, batch, config["context"], device), []
    wait()
    begin = time.perf_counter()
    for step in range(steps):
        if step == skipped:
            wait()
            begin = time.perf_counter()
        x, y = next(source)
        with autocast():
            loss = loss_of(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(work.model.parameters(), work.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        schedule.step()
        losses.append(loss.detach())
        if step == 0:
            wait()
            first = time.perf_counter() - begin
    wait()
    seconds = time.perf_counter() - begin
    losses = torch.stack(losses).double().cpu()
    print(json.dumps({
        "tokens_per_second": (steps - skipped) * batch * config["context"] / seconds,
        "step": seconds / (steps - skipped),
        "first_step": first,
        "memory": torch.cuda.max_memory_allocated() - parameters if device == "cuda" else None,
        "losses": [losses[:SHOWN].mean().item(), losses[-SHOWN:].mean().item()]}))


def read(metrics, skipped, context):
    reports = [json.loads(line) for line in open(metrics, encoding="utf-8")]
    begin = next(report for report in reports if report["step"] == int(skipped))
    end = reports[-1]
    seconds = end["time"] - begin["time"]
    print(json.dumps({
        "tokens_per_second": (end["samples"] - begin["samples"]) * int(context) / seconds,
        "step": seconds / (end["step"] - begin["step"]),
        "losses": [reports[0]["loss"], end["loss"]]}))


def losses_of(run):
    """Every loss that a run reported, with what to call it."""
    losses = {}
    for name in ("metrics", "evaluations"):
        for line in (pathlib.Path(run) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            report = json.loads(line)
            losses[f"{report['set']} after" if "set" in report else "training", report["step"]] = report["loss"]
    return losses


def apart(one, other):
    first, second = losses_of(one), losses_of(other)
    assert first.keys() == second.keys(), "the two runs did not report at the same steps"
    where = max(first, key=lambda place: abs(first[place] - second[place]))
    farthest = abs(first[where] - second[where])
    last = max(step for _, step in first)
    print(f"{pathlib.Path(one).name:<12} {last:,} steps, {len(first):,} losses, the last {first['training', last]:.6f} and "
          f"{second['training', last]:.6f}; at most {farthest:.1e} apart ({where[0]} step {where[1]:,}), "
          f"goal 1e-4: {'met' if farthest <= 1e-4 else 'MISSED'}")


def cell(values, digits):
    return f"{statistics.median(values):,.{digits}f} [{min(values):,.{digits}f} – {max(values):,.{digits}f}]"


def print_program(name, rows, memory):
    peak = f"{memory / 1e9:.2f}" if memory is not None else "–"
    print(f"{name:<16} {cell([row['tokens_per_second'] for row in rows], 0):>30} "
          f"{cell([1e3 * row['step'] for row in rows], 2):>28} {peak:>8}  "
          + " ".join(f"{loss:.4f}" for loss in rows[-1]["losses"]))


def table(folder, rounds, *precisions):
    folder = pathlib.Path(folder)
    print(f"{'':<16} {'tokens/s':>30} {'a step ms':>28} {'peak GB':>8}  losses")
    failed = False
    for precision in precisions:
        measured = {}
        for program in PROGRAMS:
            name = f"{precision} {program}"
            if (folder / f"{precision}.{program}.failed").exists():
                print(f"{name:<16} failed:", *(folder / f"{precision}.{program}.failed").read_text().splitlines(), sep="\n    ")
                failed = True
                continue
            rows = measured[program] = [json.loads(line) for line in open(folder / f"{precision}.{program}", encoding="utf-8")]
            memory = rows[-1].get("memory")
            if program == "knead" and (folder / f"{precision}.bench").exists():
                memory = json.loads((folder / f"{precision}.bench").read_text())["memory"]
            print_program(name, rows, memory)
        for program in measured:
            if program == "knead" or "knead" not in measured:
                continue
            pairs = list(zip(measured["knead"], measured[program]))
            ratios = [ours["tokens_per_second"] / theirs["tokens_per_second"] for ours, theirs in pairs]
            ours, theirs = (statistics.median(row["tokens_per_second"] for row in rows) for rows in zip(*pairs))
            words = f"knead trains {ours / theirs:.3f} times as fast as {program} [{min(ratios):.3f} – {max(ratios):.3f}]"
            if program == "compile":
                # Not timed above. Later rounds find what the first has compiled.
                first, *later = [row["first_step"] for row in measured[program]]
                words += f"; its first step took {first:.1f} s" + (f", later {min(later):.1f}" if later else "")
            print(f"{'':<16} {words}")
    sys.exit(1 if failed else 0)


def main():
    verbs = {"look": look, "tokens": make_tokens, "train": train, "read": read, "apart": apart, "table": table}
    verbs[sys.argv[1]](*sys.argv[2:])


main()
