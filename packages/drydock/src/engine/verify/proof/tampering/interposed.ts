import type { RunPython } from "../../../source/run-python.ts";

const C_FILE = /\.(c|h|cc|cpp|cxx|hpp|hh|hxx|m|mm|inl)$/i;
const FUNCTION = /^[A-Za-z_][\w \t*]*?\b(\w+)[ \t]*\([^;{}]*\)\s*\{/gm;
const KEYWORD = /^(?:if|else|for|while|switch|return|do|main)$/;
const HEADER = /^[ \t]*#[ \t]*include[ \t]*<([\w./+-]+)>/gm;

/**
 * A function of the system's libraries that tests call and that source now defines itself: it takes the place of the other.
 * Which functions these are is what the compiler reads in the headers of the system; null: none.
 */
export async function findInterposed(
  path: string,
  before: string,
  after: string,
  { tests, runPython }: { tests: string; runPython: RunPython },
): Promise<string | null> {
  if (!C_FILE.test(path)) return null;
  const names = [...after.matchAll(FUNCTION)].flatMap(([text, name = ""]) =>
    !/^static\b/.test(text) && !KEYWORD.test(name) && !before.includes(`${name}(`) && isCalled(name, tests)
      ? [name]
      : [],
  );
  if (names.length === 0) return null;
  const headers = [...`${tests}\n${after}`.matchAll(HEADER)].map(([, header = ""]) => header);
  const request = { names, headers: [...new Set(headers)] };
  const [found] = JSON.parse(await runPython(DECLARED, JSON.stringify(request))) as string[];
  return found === undefined ? null : `its own ${found}()`;
}

function isCalled(name: string, tests: string): boolean {
  return new RegExp(String.raw`\b${name}\s*\(`).test(tests);
}

/** Prints those of the names that the headers declare. Without a compiler, those that the libraries themselves have. */
const DECLARED = `
import json
import os
import re
import subprocess
import sys

asked = json.load(sys.stdin)
text = "".join("#if __has_include(<%s>)\\n#include <%s>\\n#endif\\n" % (name, name) for name in asked["headers"])
language = "c" if all(name.endswith(".h") for name in asked["headers"]) else "c++"
declared = None
for place in ("/usr/bin", "/bin", "/usr/local/bin"):
    for compiler in ("cc", "gcc", "clang", "c++"):
        program = place + "/" + compiler
        if declared is None and os.access(program, os.X_OK):
            line = [program, "-E", "-P", "-D_GNU_SOURCE", "-x", language, "-"]
            run = subprocess.run(line, input=text.encode(), capture_output=True, cwd="/")
            if run.returncode == 0:
                declared = run.stdout.decode("utf-8", "replace")
if declared is None:
    import ctypes
    libraries = [ctypes.CDLL(None)]
    try:
        libraries.append(ctypes.CDLL("libm.so.6"))
    except OSError:
        pass
    found = [name for name in asked["names"] if any(hasattr(library, name) for library in libraries)]
else:
    found = [name for name in asked["names"] if re.search(r"\\b%s\\s*\\(" % re.escape(name), declared)]
print(json.dumps(found))
`;
