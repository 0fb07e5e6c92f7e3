"""The options of a script around a model: they have their defaults, as in a call without arguments."""

from types import SimpleNamespace as Namespace

SUPPRESS = "==SUPPRESS=="


class ArgumentDefaultsHelpFormatter:
    pass


class RawTextHelpFormatter:
    pass


class ArgumentParser:
    def __init__(self, *args, **kwargs):
        self._defaults = {}
        self._required = []

    def add_argument(self, *names, **options):
        long = [name for name in names if name.startswith("--")]
        chosen = long[0] if long else names[0]
        name = options.get("dest") or chosen.lstrip("-").replace("-", "_")
        action = options.get("action")
        if action in ("help", "version"):
            return
        default = options.get("default")
        if "default" not in options and action in ("store_true", "store_false"):
            default = action == "store_false"
        if isinstance(default, str) and options.get("type") is not None:
            default = options["type"](default)
        if default == SUPPRESS:
            return
        self._defaults[name] = default
        is_positional = not chosen.startswith("-") and options.get("nargs") not in ("?", "*")
        if options.get("required") or is_positional:
            self._required.append(name)

    def add_argument_group(self, *args, **kwargs):
        return self

    def add_mutually_exclusive_group(self, **kwargs):
        return self

    def set_defaults(self, **defaults):
        self._defaults.update(defaults)

    def get_default(self, name):
        return self._defaults.get(name)

    def parse_args(self, args=None, namespace=None):
        if args:
            raise NotImplementedError("parse_args() of given arguments")
        if self._required:
            names = ", ".join(self._required)
            raise ValueError(f"the script needs values for {names}, and a model's file is run without arguments")
        return Namespace(**self._defaults)

    def parse_known_args(self, args=None, namespace=None):
        return self.parse_args(args), []
