import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { databaseOf } from "./postgres/test-databases.ts";

const CHILD = fileURLToPath(new URL("./writer-child.ts", import.meta.url));

export interface Writer {
  process: ChildProcess;
  /** What it has acknowledged so far; only whole lines count. */
  acknowledged(): Record<string, unknown>[];
  ended: Promise<number | null>;
  /** Resolves as soon as it has acknowledged so many things. */
  reached(count: number): Promise<void>;
}

export function spawnWriter(home: string, mode: string, argument = ""): Writer {
  const address = databaseOf(home) ?? "";
  const child = spawn(process.execPath, [CHILD, home, mode, argument, address], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  function acknowledged(): Record<string, unknown>[] {
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  return {
    process: child,
    acknowledged,
    ended,
    async reached(count) {
      while (acknowledged().length < count) {
        const step = await Promise.race([once(child.stdout, "data").then(() => "data"), ended.then(() => "ended")]);
        if (step === "ended" && acknowledged().length < count) throw new Error(`The writer ended early: ${errors}`);
      }
    },
  };
}
