"""The base class of huggingface_hub. A model only has it; up- and downloads are left out."""


class PyTorchModelHubMixin:
    def __init_subclass__(cls, **kwargs):
        pass

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        raise NotImplementedError("weights come in by the recipe's init")

    def save_pretrained(self, *args, **kwargs):
        raise NotImplementedError("knead export writes the weights")

    def push_to_hub(self, *args, **kwargs):
        raise NotImplementedError("knead export writes the weights")


class ModelHubMixin(PyTorchModelHubMixin):
    pass
