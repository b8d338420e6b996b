import { spawn } from "node:child_process";
import type { Dock } from "drydock";
import type { Stage } from "../stage.ts";

const ROUNDS = 15;

/** The start of an isolated run beside that of the bare interpreter: the same binary, turn by turn. */
export async function measureStart(dock: Dock, stage: Stage): Promise<void> {
  stage.act("print(1) in Python, isolated and recorded");
  const run = await dock.exec({ language: "python", code: "import sys\nprint('hello from the dock')\nsys.executable" });
  stage.quote(run.stdout);
  const python = String(run.result);
  const bare: number[] = [];
  const isolated: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await time(() => runBare(python, "print(1)")));
    isolated.push(await time(() => dock.exec({ language: "python", code: "print(1)" })));
  }
  const [bareMs, isolatedMs] = [median(bare), median(isolated)];
  stage.table([
    ["", "median of 15", "÷ bare"],
    [`bare ${python} -c 'print(1)'`, `${bareMs.toFixed(1)} ms`, "1"],
    ["dock.exec, warm", `${isolatedMs.toFixed(1)} ms`, (isolatedMs / bareMs).toFixed(2)],
  ]);
  stage.say(`Level of isolation: ${run.sandbox.level}.`);
  stage.check("an isolated run starts sooner than the bare interpreter", isolatedMs < bareMs);
}

async function time(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

/** On the host, without any protection: only ever for code that is known to be harmless. */
function runBare(python: string, code: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, ["-c", code], { env: {}, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.resume();
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
