import { EffectivePolicy } from "@drydock/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { runPython } from "../guard/run-python.ts";
import { explainFailure, type FailureContext, readReport } from "./index.ts";

const policy = EffectivePolicy.parse({
  version: 1,
  files: { access: true, write: ["**"], protect: [], hide: [] },
  commands: { allow: [] },
  network: { allow: [] },
  environment: { allow: [] },
  python: { guard: "open", imports: { allow: [], block: [] }, calls: { block: [] } },
  limits: {
    wallSeconds: 30,
    cpuSeconds: 30,
    memoryMb: 512,
    processes: 64,
    outputMb: 8,
    diskMb: 512,
    openFiles: 256,
    concurrency: 4,
  },
  sessions: { tasks: 50, idleSeconds: 3600, live: 32 },
  sandbox: { backends: ["namespaces"], level: "rlimits" },
});
const context: FailureContext = { language: "python", limits: policy.limits, policy, refused: [] };

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
  ["def f():\n    f()\nf()\n", "code.exception", { line: 2 }],
  ["import json\n\njson.loads('')\n", "code.exception", { line: 3 }],
];

describe("what CPython raises", () => {
  let told: unknown[] = [];
  beforeAll(async () => {
    told = await runPython<unknown[]>(
      "results-driver.py",
      programs.map(([raises]) => ({ raises })),
    );
  });

  it.each(programs.map(([source, code, data], index) => ({ source: source.slice(0, 60), code, data, index })))(
    "is $code for $source",
    ({ code, data, index }) => {
      const report = readReport({ outcome: "exception", exception: told[index] });
      expect(explainFailure({ kind: "exited", exitCode: 1, report }, context)).toMatchObject({ code, ...data });
    },
  );
});
