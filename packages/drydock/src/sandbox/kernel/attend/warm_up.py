"""Small programs that walk the paths most code takes. They run in the fork server only, before anything else does."""

from __future__ import annotations

import gc
import os
import sys

from attend import code_process
from interpret import interpreter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

PROGRAMS = (
    (
        None,
        """
import json, math, re, collections, itertools, datetime, statistics, random, io, csv, textwrap, string, functools
import decimal, tempfile
print(1, 'x', 1.5, [1], {'a': 1}); json.dumps({'a': [1, 2]}); json.loads('{}'); re.sub('a', 'b', 'aa')
sorted([3, 1]); f'{1:>5}'
class A:
    def f(self): return 1
A().f(); [x for x in range(3)]; datetime.datetime.now().isoformat(); random.random()
{'a': [1, 2.5, None, True]}
""",
    ),
    (
        "numpy",
        """
import numpy as np
a = np.arange(10.0).reshape(2, 5); str(a); a.mean(); a @ a.T; np.random.rand(3); np.linalg.inv(np.eye(3)); np.sort(a)
a.sum()
""",
    ),
    (
        "pandas",
        """
import io
import pandas as pd
d = pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x'], 'c': [1.5, None, 3]})
d.sum(numeric_only=True); str(d); d.groupby('b').agg({'a': 'sum'}); d.groupby('b')['a'].mean(); d.describe()
d.to_csv(); d.to_json()
pd.read_csv(io.StringIO('a,b\\n1,2')); d.merge(d, on='a'); d.pivot_table(index='b', values='a')
pd.to_datetime(['2020-01-01'])
d.sort_values('a'); d[d.a > 1]; d.isna().sum()
d
""",
    ),
    (
        "matplotlib.pyplot",
        """
import matplotlib.pyplot as plt
plt.figure(); plt.bar(['a', 'b'], [1, 2]); plt.plot([1, 2]); plt.title('x'); plt.xlabel('y')
""",
    ),
)


def execute(main: ModuleType) -> None:
    """Executes the real path, so that what it allocates and imports lies in pages that all members share."""
    null = os.open("/dev/null", os.O_RDWR)
    streams = sys.stdin, sys.stdout, sys.stderr
    parts = [text for needs, text in PROGRAMS if needs is None or needs in sys.modules]
    interpreter.open_streams(null, null)
    for _ in range(2):
        for text in [*parts, "def f(): return 1 / 0\nf()", "x = ("]:
            module = interpreter.new_main()
            code, _ = interpreter.compile_code(text, "<warm>", code_process.NO_RULES)
            if code is not None:
                interpreter.run_code(code, module)
                interpreter.take_result(module)
            list(interpreter.draw_figures())
            module.__dict__.clear()
    sys.stdin, sys.stdout, sys.stderr = streams
    sys.modules["__main__"] = main
    os.close(null)
    gc.collect()
