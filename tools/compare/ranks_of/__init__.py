"""knead on several ranks next to one process and to PyTorch's DDP."""
