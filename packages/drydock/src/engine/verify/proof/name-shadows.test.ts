import { expect, it } from "vitest";
import type { JudgedTree } from "../judged-tree.ts";
import { findNameShadows } from "./name-shadows.ts";
import type { TestInput } from "./test-inputs.ts";

const FILES: Record<string, string> = {
  "tests/test_calc.c": '#include <assert.h>\n# include "gtest/gtest.h"\n#include <calc.h>\n',
  "t/add.t": "use strict;\nuse Test::More tests => 1;\nuse Calc;\n",
  "spec/calc_spec.rb": "require 'minitest/autorun'\nrequire 'calc'\n",
};
const before: JudgedTree = {
  treeHash: "",
  layer: null,
  lookup: () => undefined,
  read: async (path) => Buffer.from(FILES[path] ?? ""),
  paths: () => Object.keys(FILES),
};
const inputs = new Map(Object.keys(FILES).map((path): [string, TestInput] => [path, { kind: "tests", why: "" }]));

it.each([
  "src/assert.h",
  "assert.h",
  "include/gtest/gtest.h",
  "lib/Test/More.pm",
  "lib/strict.pm",
  "minitest/autorun.rb",
])("%s hides what a test finds outside of the tree", async (path) => {
  expect(await findNameShadows([path], inputs, before)).toMatchObject([{ path }]);
});

it.each(["src/calc.h", "lib/Calc.pm", "calc.rb", "src/stdio.h", "src/my_assert.h", "lib/Test/Calc.pm"])(
  "%s is what the tree itself brings",
  async (path) => {
    expect(await findNameShadows([path], inputs, before)).toEqual([]);
  },
);
