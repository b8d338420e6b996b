/** Ordinary programs of the kind that models write: the strict guard lets each of them through. */
export const ACCEPTED_PROGRAMS: Record<string, string> = {
  "a recursive function": "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nresult = fib(20)",
  "a group-by":
    "import pandas as pd\ndf = pd.DataFrame([{'a': 1, 'b': 2}])\nprint(df.groupby('a')['b'].mean().to_dict())",
  "a query on a table":
    "import pandas as pd\ndf = pd.DataFrame({'age': [1, 2]})\nn = 1\ndf.query('age > @n and age < 10').eval('c = age * 2')",
  "columns called os and sys":
    "import pandas as pd\ndf = pd.read_csv('hosts.csv')\nprint(df.os.value_counts(), df.sys.sum(), df.code)",
  "a chart":
    "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.bar([1], [2])\nfig.savefig('a.png')",
  "a class with dunder methods":
    "class V:\n    __slots__ = ('x',)\n    def __init__(self, x):\n        super().__init__()\n        self.x = x\n    def __add__(self, o):\n        return V(self.x + o.x)\n    def __repr__(self):\n        return f'{type(self).__name__}({self.x!r})'",
  "a frozen dataclass":
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass P:\n    x: int = 0\n    tags: list = field(default_factory=list)\n    def __post_init__(self):\n        object.__setattr__(self, 'x', self.x + 1)",
  "the main idiom": "def main():\n    print('hello')\n\nif __name__ == '__main__':\n    main()",
  "getattr with a plain name": "x = getattr(3, 'real', None)\nprint(hasattr(x, 'imag'))",
  "sorting by attrgetter":
    "from operator import attrgetter, itemgetter\nsorted([1j], key=attrgetter('real'))\nsorted([(1, 2)], key=itemgetter(1))",
  "files by pathlib":
    "from pathlib import Path\np = Path('out.txt')\np.write_text('x')\nprint(p.read_text(), [q.name for q in Path('.').glob('*.txt')])\nwith p.open() as f:\n    f.read()",
  "text in memory": "import io, csv\nbuffer = io.StringIO('a,b')\nprint(list(csv.reader(buffer)))",
  "a request":
    "import requests\nr = requests.get('https://example.org', timeout=5)\nr.raise_for_status()\nprint(r.json()['x'], r.status_code)",
  "scraping with select":
    "from bs4 import BeautifulSoup\nsoup = BeautifulSoup('<p>x</p>', 'html.parser')\nprint([p.get_text() for p in soup.select('p')])",
  "signal processing":
    "import numpy as np\nfrom scipy import signal\nimport scipy.signal\nb, a = signal.butter(4, 0.2)\nnp.select([np.array([True])], [1])\nnp.trace(np.eye(2))",
  "a learned model":
    "from sklearn.linear_model import LinearRegression\nfrom sklearn.model_selection import train_test_split\nLinearRegression().fit([[1]], [1]).predict([[2]])",
  "asynchronous requests":
    "import asyncio, httpx\nasync def get(u):\n    async with httpx.AsyncClient() as c:\n        return (await c.get(u)).text\nasync def main():\n    return await asyncio.gather(*(get(u) for u in ['a']))\nasyncio.run(main())",
  "top-level pattern matching":
    "match {'kind': 'x', 'n': 1}:\n    case {'kind': 'x', 'n': int(n)} if n > 0:\n        print(n)\n    case _:\n        pass",
  "format strings and templates":
    "t = '{name:>10} {0[1]} {{x}}'\nprint(t.format([1, 2], name='n'), f'{3.14159:.2f}', '%s' % 1)",
  "decorators and caching":
    "import functools, time\n@functools.lru_cache(maxsize=None)\ndef f(n):\n    return n\n@functools.wraps(f)\ndef g(*a, **k):\n    return f(*a, **k)\nprint(time.perf_counter(), f.__name__, f.__doc__)",
  threads:
    "from concurrent.futures import ThreadPoolExecutor\nimport threading\nlock = threading.Lock()\nwith ThreadPoolExecutor(4) as pool:\n    print(list(pool.map(str, range(3))))",
  "a docstring that mentions dunders":
    'def f(x):\n    """Returns x.__class__.__dict__, or {x.__class__}."""\n    return x\n\'__class__\'',
  "prose that mentions dunders":
    "print('the __class__ attribute is not for you')\nprint('eval and open and os.system')",
  "a logger and warnings":
    "import logging, warnings, traceback\nwarnings.filterwarnings('ignore')\nlogging.basicConfig(level=logging.INFO)\ntry:\n    1 / 0\nexcept ZeroDivisionError as e:\n    traceback.print_exc()\n    raise ValueError('x') from e",
  "literals parsed safely": "import ast, json\nprint(ast.literal_eval('[1]'), json.loads('{}'))",
  "names that only begin like refused ones":
    "evaluate = 1\nopened = [2]\nos_name = 'x'\nprint(evaluate, opened, os_name)",
  "the versions of libraries": "import numpy as np, pandas as pd\nprint(np.__version__, pd.__version__)",
  "the standard input": "n = int(input())\nprint(sum(int(input()) for _ in range(n)))",
  "an enumeration": "from enum import Enum, auto\nclass C(Enum):\n    A = auto()\nprint(C.A.name, C.__members__)",
  "a database in memory": "import sqlite3\ndb = sqlite3.connect(':memory:')\nprint(db.execute('select 1').fetchall())",
  "from __future__":
    "from __future__ import annotations\nfrom typing import Optional, Protocol\nfrom collections.abc import Iterable\nx: Optional[int] = None",
  "private names":
    "class A:\n    def __init__(self):\n        self.__secret = 1\n        self._os = 'linux'\nprint(A()._os)",
  "global and nonlocal names, unpacked dicts":
    "count = 0\ndef f(*, a, b=1):\n    global count\n    count += 1\n    def g():\n        nonlocal a\n        a = {**{}, 'b': b}\n    return g\n",
  "methods that are called like refused functions":
    "import re\nfrom PIL import Image\np = re.compile('x')\nImage.open('a.png').save('b.png')\nclass M:\n    def eval(self): return self\nM().eval()\n",
};
