"""Saves under every strategy and number of ranks, and goes on under every other."""
import shutil

from ranks_of.numbers import MOST, farthest, weights
from ranks_of.processes import Failed, run
from shards_of.workloads import write_recipe

LAYOUTS = [("data_parallel", 1, 1), ("data_parallel", 2, 1), ("zero1", 2, 1), ("zero1", 3, 1), ("zero2", 2, 1),
           ("zero2", 4, 2), ("zero3", 2, 1), ("zero3", 3, 1), ("zero3", 4, 1), ("zero3", 4, 2)]
SAVED, END = 3, 6  # steps


def train(knead, recipe, work, name, layout, until):
    kind, ranks, replicas = layout
    run([knead, "run", str(recipe), f"output={work}", f"name={name}", f"train={until} steps", "average={type: ema, decay: 0.9}",
         f"distributed={{ranks: {ranks}, strategy: {kind}, replicas: {replicas}}}"])
    return weights(work / name)


def words(layout):
    return f"{layout[0]} on {layout[1]}" + (f", {layout[2]} replicas" if layout[2] > 1 else "")


def main(knead, work):
    """Returns how many pairs end with other weights than one process."""
    print(f"\nsaves: a GPT is saved after step {SAVED} under one layout, and goes on to step {END} under another; parameters may"
          f" differ by {MOST} from those of one process")
    recipe = write_recipe("gpt", work)
    one = train(knead, recipe, work, "one", LAYOUTS[0], END)
    wrong, most = 0, 0.0
    for saver in LAYOUTS:
        train(knead, recipe, work, "saved", saver, SAVED)
        for reader in LAYOUTS:
            shutil.copytree(work / "saved", work / "restored")
            try:
                far = farthest(one, train(knead, recipe, work, "restored", reader, END))
            except Failed as failed:
                print(f"{words(saver):<26} to {words(reader):<26} FAILED: {str(failed).strip().splitlines()[-1]}", flush=True)
                far = float("inf")
            if not far <= MOST:
                wrong += 1
                print(f"{words(saver):<26} to {words(reader):<26} within {far:.2g}   MORE THAN {MOST}", flush=True)
            most = max(most, far)
            shutil.rmtree(work / "restored")
        shutil.rmtree(work / "saved")
    print(f"{len(LAYOUTS) ** 2} pairs, parameters within {most:.2g}; {wrong} wrong", flush=True)
    return wrong
