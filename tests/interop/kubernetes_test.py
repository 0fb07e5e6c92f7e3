"""What `--emit k8s` prints for runs and sweeps, judged by Kubernetes' own schemas (kubernetes-validate) and by the
rules of Indexed Jobs that schemas do not hold.

usage: kubernetes_test.py KNEAD ROOT
"""

import copy
import pathlib
import re
import string
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

LABEL = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
CASES = [
    [],
    ["distributed.ranks=4", "batch=4"],
    ["distributed={ranks: 64, restarts: 3}", "threads=8", "device=cuda", "batch=64"],
    ["name=" + "Long_Name." * 6 + "x", "train.time_limit=4 h"],
    ["description=$(RANK) $$ ${HOME}x 'single' \"double\" # no comment", "seed=7"],
    ["description=two\nlines", "output='- yes: 1'"],
    ["description=${env:API_KEY} in ${env:API_KEY}", "train=${env:STEPS:-7} steps", "output=${env:RANK:-runs}"],
]
# What the recipe of the last case finds in its environment, with characters that a shell treats in its own way.
API_KEY = "it's $x `y` \"z\""


def read_by_kubernetes(word):
    """A word of a command, where no name that $(NAME) could mean is replaced: an escaped $ is one."""
    assert not re.search(r"(?<!\$)(\$\$)*\$\(", word), f"$(NAME) would be replaced in {word!r}"
    return word.replace("$$", "$")


def check_job(service, job, words):
    name, spec = job["metadata"]["name"], job["spec"]
    template = spec["template"]["spec"]
    container = template["containers"][0]
    variables = {variable["name"]: variable for variable in container["env"]}
    ranks = spec["completions"]

    assert LABEL.fullmatch(name), name
    assert len(f"{name}-{ranks - 1}") <= 63, "the host name of a pod is too long"
    assert spec["completionMode"] == "Indexed" and spec["parallelism"] == ranks
    assert template["restartPolicy"] == "Never", "a pod failure policy needs it"
    assert "backoffLimitPerIndex" not in spec, "a rank cannot fail alone"

    labels = spec["template"]["metadata"]["labels"]
    assert service["spec"]["clusterIP"] == "None" and service["spec"]["selector"].items() <= labels.items()
    assert template["subdomain"] == service["metadata"]["name"]
    assert variables["MASTER_ADDR"]["value"] == f"{name}-0.{service['metadata']['name']}"
    assert variables["WORLD_SIZE"]["value"] == str(ranks)
    assert variables["RANK"]["valueFrom"]["fieldRef"]["fieldPath"] == (
        "metadata.annotations['batch.kubernetes.io/job-completion-index']"
    )
    assert len(variables) == len(container["env"]), "a variable stands twice"
    assert secret_keys(name, container["env"]).pop("KNEAD_TOKEN") is False, "the token stands in a Secret only"
    assert container["volumeMounts"][0]["mountPath"] == container["workingDir"]

    rules = spec["podFailurePolicy"]["rules"]
    assert exit_code_actions(rules) == {75: "Ignore"} | dict.fromkeys([2, 3, 4, 5, 7], "FailJob")
    assert rules[0]["onPodConditions"][0]["type"] == "DisruptionTarget" and rules[0]["action"] == "Ignore"

    command = [read_by_kubernetes(word) for word in container["command"]]
    assert command == ["knead", "run", "--", *words], command
    return ranks, spec["backoffLimit"], container.get("resources")


def secret_keys(secret, variables):
    """The variables that come from a Secret, each from the key of its name, and whether they may be missing."""
    optional = {}
    for variable in variables:
        if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
            assert variable.keys() == {"name", "valueFrom"} and reference["name"] == secret
            assert reference["key"] == variable["name"]
            optional[variable["name"]] = reference.get("optional", False)
    return optional


def made_secret(text, place):
    """The words of the command that makes the Secret, as kubectl gets them."""
    (line,) = re.findall("^#   (kubectl create .*)", text, re.MULTILINE)
    stand_in = pathlib.Path(place) / "kubectl"
    stand_in.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    stand_in.chmod(0o755)
    environment = {"PATH": f"{place}:/usr/bin:/bin", "API_KEY": API_KEY}
    said = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, text=True, check=True).stdout
    return said.splitlines()


def check_variables(program, folder):
    """What recipes read from the environment is in the Secret, and what makes the Secret puts it there."""
    environment = {"API_KEY": API_KEY}
    sweep = ["sweep={over: {seed: [1, 2]}}", "name=swept", "description=${env:API_KEY}"]
    for verb, overrides, more in (("run", CASES[-1], {"KNEAD_TOKEN": False}), ("sweep", sweep, {})):
        words = [program, verb, "--emit", "k8s", "good.yaml", *overrides]
        text = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout
        *_, job = yaml.safe_load_all(text)
        kubernetes_validate.validate(job, "1.37", strict=True)
        name = job["metadata"]["name"]
        (container,) = job["spec"]["template"]["spec"]["containers"]
        steps = {"STEPS": True} if verb == "run" else {}
        assert secret_keys(name, container["env"]) == {"API_KEY": False, **steps, **more}, container["env"]
        assert API_KEY not in text, "a value stands in the manifest"
        with tempfile.TemporaryDirectory() as place:
            *create, last = made_secret(text, place)
        assert create[:4] == ["create", "secret", "generic", name] and last == f"--from-literal=API_KEY={API_KEY}"
        tokens = [re.fullmatch("--from-literal=KNEAD_TOKEN=[0-9a-f]{32}", word) for word in create[4:]]
        assert len(tokens) == len(more) and all(tokens), create


def exit_code_actions(rules):
    """What becomes of each exit code: the first rule that matches counts."""
    action_of = {}
    for rule in rules:
        for code in rule.get("onExitCodes", {}).get("values", []):
            action_of.setdefault(code, rule["action"])
    return action_of


def check_sweep(program, folder):
    """The pods of a sweep, as Kubernetes starts them, and what becomes of their exit codes."""
    seeds = ", ".join(map(str, range(24)))
    words = ["good.yaml", f"sweep={{over: {{seed: [{seeds}]}}}}", "name=Big_Sweep", "distributed.ranks=2", "threads=4"]
    words += ["device=cuda", "batch=4", "description=$(RANK) 'it is' $$5"]
    command = [program, "sweep", "--emit", "k8s", *words]
    text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    (job,) = yaml.safe_load_all(text)
    kubernetes_validate.validate(job, "1.37", strict=True)
    spec = job["spec"]
    assert LABEL.fullmatch(job["metadata"]["name"]), job["metadata"]["name"]
    assert spec["completionMode"] == "Indexed" and spec["completions"] == 24 and spec["parallelism"] == 8
    assert spec["backoffLimitPerIndex"] == 3 and "backoffLimit" not in spec, "shards fail alone"
    template = spec["template"]["spec"]
    assert template["restartPolicy"] == "Never" and "subdomain" not in template
    rules = spec["podFailurePolicy"]["rules"]
    assert exit_code_actions(rules) == {75: "Ignore"} | dict.fromkeys([2, 3, 4, 5, 7], "FailIndex")
    assert rules[0]["onPodConditions"][0]["type"] == "DisruptionTarget" and rules[0]["action"] == "Ignore"

    container = template["containers"][0]
    assert container["resources"] == {"requests": {"cpu": "8"}, "limits": {"nvidia.com/gpu": "2"}}
    command = [read_by_kubernetes(word) for word in container["command"]]
    with tempfile.TemporaryDirectory() as place:
        stand_in = pathlib.Path(place) / "knead"
        stand_in.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        stand_in.chmod(0o755)
        for index in (0, 23):
            environment = {"PATH": f"{place}:/usr/bin:/bin", "JOB_COMPLETION_INDEX": str(index)}
            said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
            assert said.splitlines() == ["sweep", "--jobs", "1", "--shard", f"{index + 1}/24", "--", *words], said


def is_valid(document):
    try:
        kubernetes_validate.validate(document, "1.37", strict=True)
    except kubernetes_validate.ValidationError:
        return False
    return True


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    folder = root / "tests/front/recipes"
    seen = []
    for overrides in CASES:
        command = [program, "run", "--emit", "k8s", "good.yaml", *overrides]
        result = subprocess.run(command, cwd=folder, env={"API_KEY": API_KEY}, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        filled = string.Template(result.stdout).safe_substitute(
            KNEAD_IMAGE="registry.example/knead:1", KNEAD_VOLUME="shared"
        )
        for text in (result.stdout, filled):
            documents = list(yaml.safe_load_all(text))
            for document in documents:
                kubernetes_validate.validate(document, "1.37", strict=True)
        assert "${KNEAD" not in filled.split("apiVersion", 1)[1]
        seen.append(check_job(*yaml.safe_load_all(result.stdout), ["good.yaml", *overrides]))

    gpu = {"requests": {"cpu": "8"}, "limits": {"nvidia.com/gpu": "1"}}
    assert seen[0] == (1, 0, None) and seen[1] == (4, 0, None) and seen[2] == (64, 192, gpu), seen

    # The judge sees what is wrong.
    service, job = documents
    for spoil in (
        lambda document: document["spec"].update(completions="four"),
        lambda document: document["spec"].update(completion=4),
        lambda document: document["spec"]["podFailurePolicy"]["rules"][1].pop("action"),
    ):
        wrong = copy.deepcopy(job)
        spoil(wrong)
        assert is_valid(job) and is_valid(service) and not is_valid(wrong)
    check_sweep(program, folder)
    check_variables(program, folder)
    print(f"Kubernetes takes {len(seen)} manifests of runs and one of a sweep")


main()
