"""knead's sweeps of short trials next to Optuna with eager PyTorch."""
