"""What the strict guard permits and refuses: names only, no logic (that is guard.py)."""

# Importable under the strict guard, each with its submodules.
ALLOWED_IMPORTS = frozenset(
    """
    __future__ abc argparse array ast asyncio base64 binascii bisect calendar cmath collections colorsys concurrent
    contextlib contextvars copy csv dataclasses datetime decimal difflib email enum fnmatch fractions functools glob
    graphlib hashlib heapq hmac html http io ipaddress itertools json keyword locale logging math mimetypes numbers
    operator pathlib pprint queue quopri random re reprlib sched secrets shlex sqlite3 stat statistics string struct
    textwrap threading time tomllib traceback types typing unicodedata urllib uuid warnings xml zipfile zlib zoneinfo
    aiohttp altair bokeh bs4 certifi chardet charset_normalizer dateutil html5lib httpx idna joblib lxml matplotlib
    mpl_toolkits networkx numpy openpyxl pandas PIL plotly polars pyarrow pydantic pylab pytz requests scipy seaborn
    shapely skimage sklearn statsmodels sympy tabulate tqdm typing_extensions tzdata urllib3 xarray xlsxwriter yaml
    """.split()
)

# Never importable under the strict guard, whatever the policy allows. A dotted name refuses that submodule only.
BLOCKED_IMPORTS = frozenset(
    """
    os sys subprocess shutil socket importlib ctypes pickle marshal builtins inspect gc code pty signal posix nt
    _ctypes _frozen_importlib _frozen_importlib_external _imp _io _pickle _posixsubprocess _socket _testcapi _thread
    _winapi bdb cffi cloudpickle cmd codeop copyreg dill dis distutils ensurepip faulthandler fcntl getpass grp imp
    linecache mmap multiprocessing nturl2path ntpath opcode pdb pip pkgutil platform posixpath profile cProfile pwd
    pydoc readline resource rlcompleter runpy select selectors setuptools shelve site socketserver ssl sysconfig
    symtable syslog tempfile termios test timeit trace tracemalloc tty unittest venv webbrowser zipapp zipimport
    asyncio.subprocess http.server logging.config logging.handlers numpy.ctypeslib numpy.distutils numpy.f2py
    sympy.parsing
    """.split()
)

# Blocked module names that libraries also use for harmless members of their own (scipy.signal, numpy.select,
# response.code), so that meeting one as an attribute of a module says nothing.
ORDINARY_WORDS = frozenset(
    "cmd code imp opcode platform profile resource select selectors signal site stat test trace".split()
)

# Functions and classes of allowed modules that open files, evaluate text or load code.
BLOCKED_MEMBERS = frozenset(
    """
    io.FileIO io.open io.open_code joblib.load pandas.read_pickle string.Formatter sympy.parse_expr sympy.sympify
    types.CodeType types.FrameType types.FunctionType types.LambdaType typing.ForwardRef typing.get_type_hints
    yaml.CLoader yaml.CUnsafeLoader yaml.Loader yaml.UnsafeLoader yaml.unsafe_load yaml.unsafe_load_all
    """.split()
)

# Built-in functions that are refused wherever their name is read: a call, an alias, a default, a decorator.
BLOCKED_CALLS = frozenset("exec eval compile open __import__ globals locals vars breakpoint help".split())

# Functions that take an attribute's name: the name has to be written out, so that it can be checked.
NAMED_ACCESS = {"getattr": 1, "setattr": 1, "delattr": 1, "attrgetter": 0, "methodcaller": 0}

# Attributes with two underscores that ordinary programs read; any other is refused under the strict guard.
ALLOWED_DUNDERS = frozenset(
    """
    __abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __annotations__ __await__ __bool__ __bytes__
    __call__ __cause__ __ceil__ __complex__ __contains__ __context__ __copy__ __dataclass_fields__ __deepcopy__
    __delitem__ __divmod__ __doc__ __enter__ __eq__ __exit__ __float__ __floor__ __floordiv__ __format__ __ge__
    __getitem__ __gt__ __hash__ __iadd__ __index__ __init__ __init_subclass__ __int__ __invert__ __isub__ __iter__
    __le__ __len__ __length_hint__ __lshift__ __lt__ __matmul__ __members__ __missing__ __mod__ __mul__ __name__ __ne__
    __neg__ __new__ __next__ __notes__ __or__ __pos__ __post_init__ __pow__ __qualname__ __radd__ __repr__ __reversed__
    __rmul__ __round__ __rshift__ __rsub__ __rtruediv__ __set_name__ __setattr__ __setitem__ __sizeof__ __slots__
    __str__ __sub__ __suppress_context__ __truediv__ __trunc__ __version__ __xor__
    """.split()
)

# Attributes without two underscores that lead to frames, code objects, class trees or modules.
BLOCKED_ATTRIBUTES = frozenset(
    """
    gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await
    f_back f_builtins f_code f_globals f_locals f_trace tb_frame tb_next tb_lasti co_code co_consts co_names
    func_code func_globals func_closure im_class im_func im_self mro
    _getframe _current_frames _module _Printer__filenames _wrap_close
    create_subprocess_exec create_subprocess_shell subprocess_exec subprocess_shell
    load_extension enable_load_extension import_module
    """.split()
)

# Names with two underscores that a module may read.
ALLOWED_DUNDER_NAMES = frozenset(
    "__name__ __file__ __doc__ __debug__ __annotations__ __version__ __author__ __all__".split()
)

# Names with two underscores that a program may not even assign.
BLOCKED_DUNDER_NAMES = frozenset("__builtins__ __import__ __build_class__ __loader__ __spec__".split())

# A string that is nothing but one of these (or a path over them, or a format field) is an attribute's name in disguise.
TELLING_STRINGS = frozenset(
    """
    __base__ __bases__ __builtins__ __class__ __closure__ __code__ __defaults__ __dict__ __func__ __getattr__
    __getattribute__ __globals__ __import__ __kwdefaults__ __loader__ __module__ __mro__ __mro_entries__ __objclass__
    __reduce__ __reduce_ex__ __self__ __spec__ __subclasscheck__ __subclasses__ __subclasshook__ __traceback__
    __wrapped__ __weakref__
    """.split()
)

# Members of os, sys and their like: a path that ends `.os.system` is refused on whatever object it starts.
REACHING_MEMBERS = frozenset(
    """
    environ execl execle execlp execlpe execv execve execvp execvpe fork forkpty getenv kill modules open popen
    posix_spawn Popen run call check_call check_output getoutput remove rmtree setrecursionlimit settrace setprofile
    spawnl spawnv system unlink walk listdir import_module eval exec compile loads
    """.split()
)

# A policy may name a distribution where Python wants the module's name.
MODULE_OF_DISTRIBUTION = {
    "beautifulsoup4": "bs4",
    "opencv-python": "cv2",
    "Pillow": "PIL",
    "pillow": "PIL",
    "python-dateutil": "dateutil",
    "PyYAML": "yaml",
    "pyyaml": "yaml",
    "scikit-image": "skimage",
    "scikit-learn": "sklearn",
}
