import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { COMPILED_CODE } from "./compiled-code.ts";

const LOOK = `
import json, lib
print(json.__cached__.startswith(sys.base_prefix + "/lib"), sys.pycache_prefix, flush=True)
`;
const PLANT = `
import py_compile, sys
place = "__pycache__/lib.%s.pyc" % sys.implementation.cache_tag
py_compile.compile("evil.py", place, "lib.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
`;

it("takes the compiled code of Python's packages, and none that lies in the tree", () => {
  const cwd = makeTemporaryDirectory({ "lib.py": "print('written')\n", "evil.py": "print('compiled')\n" });
  const python = (program: string, ...options: string[]) =>
    execFileSync("python3", [...options, "-c", program], { cwd, encoding: "utf8" })
      .split(/\s+/)
      .slice(0, 3);
  python(PLANT);
  expect(python(`import sys\n${LOOK}`)).toEqual(["compiled", "True", "None"]);
  expect(python(COMPILED_CODE + LOOK)).toEqual(["written", "True", "/tmp/drydock-pycache"]);
  expect(python(COMPILED_CODE + LOOK, "-X", "pycache_prefix=/tmp/other")).toEqual(["written", "True", "/tmp/other"]);
});
