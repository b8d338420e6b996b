from calculator.basics import add, mean

__all__ = ["add", "mean"]
