import { expect, it } from "vitest";
import { openWitness } from "./witness.ts";

const witness = openWitness();
const INI = { "pytest.ini": "[pytest]\npythonpath = .\n" };

it("tells who named a file or a directory to the code that opens it", async () => {
  const files = {
    ...INI,
    "app.py": [
      "import pathlib",
      "class Reader:",
      "    def __init__(self, path): self.path = path",
      "    def read(self): return open(self.path).read()",
      "def given(path): return path.read_text()",
      "def below(place): return [each.read_text() for each in pathlib.Path(place).iterdir()]",
      "def read(path): return open(path).read()",
      "def sought(): return read(str(pathlib.Path(__file__).parent / 'tests' / 'd.txt'))",
      "",
    ].join("\n"),
    "tests/a.txt": "a",
    "tests/b.txt": "b",
    "tests/data/c.txt": "c",
    "tests/d.txt": "d",
    "tests/test_a.py": [
      "import pathlib",
      "import app",
      "HERE = pathlib.Path(__file__).parent",
      "def test_all():",
      "    assert app.given(HERE / 'a.txt') == 'a'",
      "    assert app.Reader(str(HERE / 'b.txt')).read() == 'b'",
      "    assert app.below(HERE / 'data') == ['c']",
      "    assert app.sought() == 'd'",
      "",
    ].join("\n"),
  };
  const { exitCode, sought } = await witness.report(files, "pytest -q", { mode: "record" });
  expect(exitCode).toBe(0);
  expect(sought.filter(({ by }) => by === "app.py")).toEqual([
    { path: "tests/a.txt", by: "app.py", giver: "tests/test_a.py" },
    { path: "tests/b.txt", by: "app.py", giver: "tests/test_a.py" },
    { path: "tests/data/", by: "app.py", giver: "tests/test_a.py" },
    { path: "tests/data/c.txt", by: "app.py", giver: "tests/test_a.py" },
    { path: "tests/d.txt", by: "app.py", giver: "app.py" },
  ]);
});

it("tells of code that asks for frames and for all objects itself, under whatever name", async () => {
  const files = {
    ...INI,
    "app.py": [
      "import collections, gc, logging, sys, traceback",
      "Point = collections.namedtuple('Point', 'x y')",
      "def plain():",
      "    try: raise ValueError",
      "    except ValueError: return traceback.format_exc()",
      "def frame(): return getattr(sys, '_get' + 'frame')()",
      "def trace():",
      "    try: raise ValueError",
      "    except ValueError as error: return getattr(error.__traceback__, 'tb_' + 'frame')",
      "def made(): return eval('(each for each in ())').gi_frame",
      "def objects(): return getattr(gc, 'get_' + 'objects')()",
      "",
    ].join("\n"),
    "tests/test_a.py":
      "import app\n\n\ndef test_all():\n    assert app.plain() and app.frame() and app.trace() and app.made() and app.objects()\n",
  };
  const { exitCode, looked } = await witness.report(files, "pytest -q", { mode: "record" });
  expect(exitCode).toBe(0);
  const found = looked.filter(({ by }) => by === "app.py").map(({ what }) => what);
  expect(found.sort()).toEqual(["_getframe", "get_objects", "gi_frame", "tb_frame"]);
});
