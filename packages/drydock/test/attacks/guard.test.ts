import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();

/** Ways by which others' guards on the syntax tree were broken. Each ends with `read`, a function that reads a host file. */
const ESCAPES: Record<string, string> = {
  "subclasses of object": `
loader = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "BuiltinImporter"][0]
read = lambda p: loader.load_module("posix").system("cat " + p)`,
  "globals of a method of a warning": `
cls = [c for c in ().__class__.__mro__[1].__subclasses__() if c.__name__ == "catch_warnings"]
module = cls[0]()._module if cls else __import__("warnings")
read = lambda p: module.__builtins__["open"](p).read() if isinstance(module.__builtins__, dict) else module.__builtins__.open(p).read()`,
  "getattr with a name that is put together": `
b = getattr(__builtins__, "".join(["__im", "port__"])) if not isinstance(__builtins__, dict) else __builtins__["__im" + "port__"]
read = lambda p: getattr(b("o" + "s"), "po" + "pen")("cat " + p).read()`,
  "a format string that walks attributes": `
class X: pass
X.f = lambda self: 0
found = "{0.f.__globals__}".format(X())
read = lambda p: (found, eval("__import__('os').popen('cat ' + p).read()", {"p": p}))[1]`,
  "eval of bytes, compiled elsewhere": `
code = compile(b"__import__('subprocess').run(['cat', p], capture_output=True, text=True).stdout", "x", "eval")
read = lambda p: eval(code, {"p": p})`,
  "a code object with its constants changed": `
def f(): return __import__
g = f.__code__.replace(co_names=("__import__",))
read = lambda p: type(f)(g, {"__builtins__": __builtins__})()("os").popen("cat " + p).read()`,
  "an exception's frame": `
try: 1 / 0
except ZeroDivisionError as e: frame = e.__traceback__.tb_frame
while frame.f_back: frame = frame.f_back
b = frame.f_builtins
read = lambda p: b["__import__"]("os").popen("cat " + p).read()`,
  "a generator's frame": `
def gen(): yield g.gi_frame.f_back
g = gen()
frame = next(g)
read = lambda p: frame.f_builtins["open"](p).read() if frame else open(p).read()`,
  "pickle that calls": `
import pickle
class P:
    def __reduce__(self): return (eval, ("__import__('os').popen('cat ' + P.path).read()",))
def read(p):
    P.path = p
    return pickle.loads(pickle.dumps(P()))`,
  "ctypes and the C library": `
import ctypes
libc = ctypes.CDLL(None)
def read(p):
    fd = libc.open(p.encode(), 0); buffer = ctypes.create_string_buffer(256); libc.read(fd, buffer, 256); return buffer.value.decode()`,
  "a decorator, an import hook and a metaclass": `
import sys, importlib
class M(type):
    def __getitem__(cls, p): return importlib.import_module("o" + "s").popen("cat " + p).read()
class R(metaclass=M): pass
read = lambda p: R[p]`,
  "the kernel's own modules, found through the garbage collector": `
import gc, types
kernel = [m for m in gc.get_objects() if isinstance(m, types.ModuleType) and m.__name__ in ("linux", "contain.steps", "attend.code_process", "files.broker")]
def read(p):
    for m in kernel:
        try: print(m.__name__, m.syscall(161, b"/proc/1/root", what="chroot"))
        except Exception: pass
        try: print(m.mount("/proc/1/root", "/tmp", None, 4096))
        except Exception: pass
        try: print(m.ask(None, {"op": "workspace", "path": "/"}))
        except Exception: pass
    return open(p).read()`,
  "the fork server's objects, found on the stack": `
import sys
frame = sys._getframe()
names = []
while frame:
    names += [v for v in frame.f_locals.values() if type(v).__name__ in ("Member", "Channel", "Server")]
    frame = frame.f_back
def read(p):
    for thing in names:
        for use in (lambda: thing.broker.send(b"{}"), lambda: thing.listener.accept()):
            try: print("used", use())
            except Exception: pass
    return open(p).read()`,
};

describe("escapes from the guard that broke other projects", () => {
  for (const [name, code] of Object.entries(ESCAPES)) {
    test(`${name}: the kernel stops what the guard would not`, async () => {
      const paths = [join(it.host, "canary.txt"), `/proc/1/root${join(it.host, "canary.txt")}`, "/etc/shadow"];
      const result = await it.attack(
        `${code}
for path in ${JSON.stringify(paths)}:
    try: print("GOT", repr(read(path)))
    except BaseException as error: print("no", type(error).__name__)
`,
      );
      expect(saidBy(result)).not.toContain(it.canary);
      expect(result.stdout).not.toContain("root:");
      expect(result.stdout).not.toContain("used");
      expect(result.stdout).toMatch(/no|GOT/);
    });
  }

  test("strict refuses the classics before they run, and what it misses reaches nothing", async () => {
    for (const code of [
      "import os; os.system('id')",
      "__import__('os').system('id')",
      "eval('1')",
      "open('/etc/passwd').read()",
      "import subprocess",
      "from ctypes import CDLL",
    ]) {
      const result = await it.dock.exec({ language: "python", code, policy: { python: { guard: "strict" } } });
      expect(result).toMatchObject({
        ok: false,
        stdout: "",
        error: { code: expect.stringMatching(/^policy\.(import|call)_denied$/) },
      });
    }
  });
});
