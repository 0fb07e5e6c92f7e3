# works
# inputs: torch.randn(3, 4)
# try at the top of a file and in __init__: a package that is not there, a key, a class of the file.
import torch
from torch import nn

try:
    from apex.normalization import FusedLayerNorm as LayerNorm
except ImportError:
    from torch.nn import LayerNorm

try:
    import flash_attn
except (ImportError, ModuleNotFoundError):
    flash_attn = None


class TooWide(ValueError):
    pass


def width_of(settings):
    try:
        return settings["width"]
    except KeyError as error:
        assert str(error) == "'width'"
        return 4


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = LayerNorm(width_of({}))
        self.tried = []
        for width in (8, 4):
            try:
                if width > 4:
                    raise TooWide("too wide: {}".format(width))
                self.linear = nn.Linear(width, width)
            except TooWide as error:
                self.tried.append(error.args[0])
                continue
            else:
                self.tried.append("fits")
            finally:
                self.tried.append("end")
        assert self.tried == ["too wide: 8", "end", "fits", "end"]
        try:
            try:
                int("four")
            except ValueError:
                raise
        except Exception as error:
            self.caught = type(error).__name__
        assert self.caught == "ValueError"

    def forward(self, x):
        if flash_attn is not None:
            return flash_attn.run(x)
        return torch.relu(self.linear(self.norm(x)))
