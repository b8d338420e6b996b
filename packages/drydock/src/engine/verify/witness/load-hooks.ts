import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The hooks lie beside this module, in the source as in the build. */
const DIRECTORY = join(import.meta.dirname, "witness-hooks");

const REPORTING = [
  "hook.py",
  "sitecustomize.py",
  "report_pytest.py",
  "report_unittest.py",
  "hook.cjs",
  "report-node-test.cjs",
  "report-others.cjs",
  "reporter-jest.cjs",
  "reporter-vitest.mjs",
] as const;
const RECORDING = [
  "looks.py",
  "stacks.py",
  "record.py",
  "record.cjs",
  "tools.cjs",
  "find-place.cjs",
  "tools.py",
  "failed-assertions.cjs",
  "failed_assertions.py",
  "operators.py",
  "decisions.py",
] as const;

const texts = new Map<string, string>();

function read(name: string): string {
  let text = texts.get(name);
  if (text === undefined) {
    text = readFileSync(join(DIRECTORY, name), "utf8");
    texts.set(name, text);
  }
  return text;
}

export interface Hooks {
  /** To be put before each driver that reads a marker. */
  hide: string;
  driver: string;
  services: string;
  naming: string;
  /** What is written into the sandbox before the command starts. */
  written: Record<string, string>;
}

export function loadHooks(mode: "report" | "record" | "decisions"): Hooks {
  return {
    hide: read("hide.py"),
    driver: `${read("waiting.py")}\n${read("driver.py")}`,
    services: read("services.py"),
    naming: read("naming.py"),
    written: Object.fromEntries(
      [...REPORTING, ...(mode === "report" ? [] : RECORDING)].map((name) => [name, read(name)]),
    ),
  };
}
