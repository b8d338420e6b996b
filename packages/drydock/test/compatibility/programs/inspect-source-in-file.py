# file
import inspect


def documented(a, b=2, *args, c: int = 3, **kw) -> str:
    """Says something."""
    return "x"


print(inspect.getsource(documented), inspect.signature(documented), inspect.getdoc(documented))
print(inspect.stack()[0].lineno, inspect.currentframe().f_code.co_name)
