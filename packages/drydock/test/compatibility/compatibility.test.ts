import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDock, type Dock } from "../../src/index.ts";
import { readPrograms } from "./program.ts";
import { runBare, runDocked } from "./run-both.ts";

const python = realpathSync("/usr/bin/python3");
const home = mkdtempSync(join(tmpdir(), "drydock-home-"));
let dock: Dock;

beforeAll(async () => {
  dock = await createDock({ home, python });
});

afterAll(async () => {
  await dock.close();
  rmSync(home, { recursive: true, force: true });
});

describe.concurrent("A program behaves in the dock as it does under bare python3", () => {
  test.for(readPrograms())("$name", async (program, { expect: expectHere }) => {
    const [bare, docked] = await Promise.all([runBare(python, program), runDocked(dock, program)]);
    expectHere(docked).toEqual(bare);
  });
});

test("The programs are many, and each is told apart by more than its exit", () => {
  expect(readPrograms().length).toBeGreaterThanOrEqual(60);
});
