/**
 * Evaluates an expression over the tree, which is the working directory. It runs as `python3 -I`: `json`, `re` and `os` are
 * Python's own, whatever the tree holds. What the expression prints goes to stderr; stdout is for the answer alone.
 */
export const EVALUATE = `
import builtins, json, os, re, sys, traceback

request = json.loads(sys.stdin.buffer.read())
root = os.path.realpath(os.getcwd())
out = os.dup(1)
os.dup2(2, 1)

class Tree:
    """The files of the tree. Paths are relative, with / between their parts."""

    def _place(self, path):
        place = os.path.realpath(os.path.join(root, path))
        if place != root and not place.startswith(root + "/"):
            raise ValueError("%r leads out of the tree" % (path,))
        return place

    def read(self, path):
        with open(self._place(path), encoding="utf-8") as file:
            return file.read()

    def exists(self, path):
        return os.path.exists(self._place(path))

    def json(self, path):
        return json.loads(self.read(path))

    def paths(self):
        found = []
        for directory, names, files in os.walk(root):
            if directory == root:
                names[:] = [name for name in names if name not in (".git", ".drydock")]
            found.extend(os.path.relpath(os.path.join(directory, name), root) for name in files)
        return sorted(found)

names = {"__builtins__": builtins, "tree": Tree(), "json": json, "re": re, "os": os}
try:
    value = eval(compile(request["expression"], "<check>", "eval"), names)
    answer = {"holds": bool(value), "value": repr(value)[:2000]}
except BaseException as error:
    answer = {"error": traceback.format_exception_only(error)[-1].strip()[:2000]}
sys.stdout.flush()
os.write(out, json.dumps(answer).encode())
os._exit(0)
`;
