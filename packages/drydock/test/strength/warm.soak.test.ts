import { it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { compareWarm, NODE, PYTHON } from "./warm-files.ts";

const test = openTestDock();

it.each([
  ["pytest -q", PYTHON],
  ["python3 -m pytest -q", PYTHON],
  ["node --test", NODE],
])("all mutants give with %s what a sandbox for each gives", (cmd, files) => compareWarm(test.dock, cmd, files));
