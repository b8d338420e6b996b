import { expect, it } from "vitest";
import { runPython } from "../testing/run-python.ts";

it("JSON without the library reads and writes the same, and a module that stands in becomes the module", async () => {
  const reply = await runPython("plain-json-driver.py", null);
  expect(reply).toEqual({
    wrong: [],
    refused: ["", "[1", "{}x", "nope", "[1] [2]", "{'a': 1}", "float", "set"],
    before: [0, false],
    told: ["linecache"],
    line: true,
    module: true,
  });
});
