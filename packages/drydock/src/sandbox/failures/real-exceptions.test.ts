import { beforeAll, describe, expect, it } from "vitest";
import { runPython } from "../testing/run-python.ts";
import { explainFailure, readReport } from "./index.ts";
import { python } from "./testing/ending-row.ts";

/** Exceptions that CPython itself raises, so that what is known of them here can't drift from what they are. */
const programs: [source: string, code: string, data?: Record<string, unknown>][] = [
  ["with open('/dev/full', 'wb', 0) as f:\n    f.write(b'x')\n", "limit.disk", { line: 2 }],
  ["x = [0] * 10 ** 14\n", "limit.memory", { line: 1 }],
  [
    "import os, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (16, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))\n" +
      "files = []\ntry:\n    while True:\n        files.append(os.dup(1))\nfinally:\n    [os.close(f) for f in files]\n",
    "limit.files",
    { line: 6 },
  ],
  ["import nosuchmodule\n", "code.import_missing", { module: "nosuchmodule", line: 1 }],
  ["x = = 1\n", "code.syntax", { line: 1, column: 5 }],
  [`x = ${"-".repeat(20_000)}1\n`, "code.syntax", { line: 1 }],
  ["import os\nos.rmdir('/proc/tty')\n", "policy.path_denied", { path: "/proc/tty" }],
  ["raise ValueError('no')\n", "code.exception", { message: "ValueError: no (line 1)" }],
  [
    "foo\n",
    "code.exception",
    { hint: expect.stringMatching(/^The name has no value at line 1: correct its spelling/) },
  ],
  ["def f():\n    x += 1\nf()\n", "code.exception", { hint: expect.stringContaining("no value at line 2") }],
  ["{}.foo\n", "code.exception", { hint: expect.stringMatching(/^Check the spelling at line 1, and which type/) }],
  ["def f():\n    f()\nf()\n", "code.exception", { line: 2 }],
  ["import json\n\njson.loads('')\n", "code.exception", { line: 3 }],
];

describe("what CPython raises", () => {
  let replies: unknown[] = [];
  beforeAll(async () => {
    replies = await runPython<unknown[]>(
      "results-driver.py",
      programs.map(([raises]) => ({ raises })),
    );
  });

  it.each(programs.map(([source, code, data], index) => ({ source: source.slice(0, 60), code, data, index })))(
    "is $code for $source",
    ({ code, data, index }) => {
      const report = readReport({ outcome: "exception", exception: replies[index] });
      expect(explainFailure({ kind: "exited", exitCode: 1, report }, python)).toMatchObject({ code, ...data });
    },
  );
});
