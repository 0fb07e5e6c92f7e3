"""One of the peers trains one of the workloads, as one would write it by hand with it: no knead in here.

usage: peers.py PEER WORKLOAD STEPS DATA FOLDER    prints the losses of the first and the last step
"""
import pathlib
import sys

import torch
import workloads


def batches(workload, steps, load=None):
    """Endless epochs in the order of the data, with whether a batch ends one."""
    load = load or workloads.loader(workload, workload.train)
    while True:
        count = len(load)
        for place, batch in enumerate(load):
            yield batch, place + 1 == count
            steps -= 1
            if steps == 0:
                return


def save(path, model, optimizer):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def eager(workload, steps, folder, model=None):
    model = workload.model if model is None else model
    optimizer = workloads.optimizer(workload)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, workload.schedule)
    losses = []
    for (x, y), is_last in batches(workload, steps):
        optimizer.zero_grad(set_to_none=True)
        loss = workload.loss(model(x), y)
        loss.backward()
        if workload.clip:
            torch.nn.utils.clip_grad_norm_(workload.model.parameters(), workload.clip)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if is_last and workload.validation:
            workloads.evaluate(workload, model)
        if is_last and workload.checkpoint_each_epoch:
            save(folder / "last.pt", workload.model, optimizer)
    return losses


def compiled(workload, steps, folder):
    return eager(workload, steps, folder, torch.compile(workload.model))


def accelerate(workload, steps, folder):
    from accelerate import Accelerator

    accelerator = Accelerator(cpu=True)
    model, optimizer, load = accelerator.prepare(
        workload.model, workloads.optimizer(workload), workloads.loader(workload, workload.train))
    schedule = accelerator.prepare(torch.optim.lr_scheduler.LambdaLR(optimizer, workload.schedule))
    losses = []
    for (x, y), is_last in batches(workload, steps, load):
        optimizer.zero_grad()
        loss = workload.loss(model(x), y)
        accelerator.backward(loss)
        if workload.clip:
            accelerator.clip_grad_norm_(model.parameters(), workload.clip)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if is_last and workload.validation:
            workloads.evaluate(workload, model)
        if is_last and workload.checkpoint_each_epoch:
            save(folder / "last.pt", model, optimizer)
    return losses


def lightning(workload, steps, folder):
    import logging
    import warnings

    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint

    warnings.filterwarnings("ignore")
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    losses = []

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model = workload.model

        def training_step(self, batch, _):
            loss = workload.loss(self.model(batch[0]), batch[1])
            losses.append(loss.item())
            return loss

        def validation_step(self, batch, _):
            right = (self.model(batch[0]).argmax(1) == batch[1]).float().mean()
            self.log("accuracy", right)

        def configure_optimizers(self):
            optimizer = workloads.optimizer(workload)
            schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, workload.schedule)
            return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}

    saving = [ModelCheckpoint(folder, save_last=True)] if workload.checkpoint_each_epoch else []
    # Lightning does not clip for fused optimizers.
    if workload.clip:
        Module.on_before_optimizer_step = lambda self, _: torch.nn.utils.clip_grad_norm_(self.parameters(), workload.clip)
    trainer = lightning.Trainer(accelerator="cpu", devices=1, max_steps=steps, logger=False, callbacks=saving,
                                enable_checkpointing=bool(saving), enable_progress_bar=False,
                                enable_model_summary=False, num_sanity_val_steps=0, default_root_dir=folder)
    validation = [workloads.loader(workload, workload.validation)] if workload.validation else None
    trainer.fit(Module(), workloads.loader(workload, workload.train), validation)
    return losses


def main():
    peer, name, steps, data, folder = sys.argv[1:]
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    workload = workloads.make(name, data)
    train = {"eager": eager, "compile": compiled, "accelerate": accelerate, "lightning": lightning}[peer]
    losses = train(workload, int(steps), pathlib.Path(folder))
    assert len(losses) == int(steps), len(losses)
    print(f"{losses[0]:.6f} {losses[-1]:.6f}")


main()
