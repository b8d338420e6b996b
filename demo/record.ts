/**
 * `npm run demo:record` runs `drydock run` twice on a terminal, and writes what it showed as the picture of the README.
 * The output is what the command wrote, apart from the path of the temporary directory, which stands there as `~`. Ids
 * of runs and times differ from one recording to the next.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runInTerminal } from "./recording/run-in-terminal.ts";
import { type Frame, takeFrames } from "./recording/take-frames.ts";
import { writeSvg } from "./recording/write-svg.ts";

const SIZE = { rows: 40, columns: 92 };
const GOAL = "Fix add() so tests pass";
const SHOWN = `drydock run --goal "${GOAL}"`;
const PICTURE = resolve(import.meta.dirname, "../docs/images/run.svg");

/** A model that does the work, and one that only says so: scripts stand in for both. */
const SCENES = [
  { title: "A model fixes the bug", script: "python-bugfix.script.yaml", status: 0 },
  { title: "Another model only claims that it did", script: "python-bugfix.lie.yaml", status: 1 },
];

const directory = mkdtempSync(join(tmpdir(), "drydock-record-"));
try {
  const frames: Frame[] = [];
  const ends: Frame[] = [];
  for (const { title, script, status } of SCENES) {
    const home = join(directory, "home");
    const workspace = join(directory, "calculator");
    rmSync(workspace, { recursive: true, force: true });
    cpSync(join(import.meta.dirname, "python-bugfix"), workspace, { recursive: true });
    const model = `scripted:${join(import.meta.dirname, script)}`;
    const env = { ...process.env, NO_COLOR: undefined, DRYDOCK_HOME: home, DRYDOCK_MODEL: model };
    const ran = await runInTerminal(["drydock", "run", "--goal", GOAL], SIZE, { cwd: workspace, env });
    if (ran.status !== status) throw new Error(`${script} ended with ${ran.status}, not ${status}:\n${ran.output}`);
    const output = ran.output.replaceAll(directory, "~");
    const taken = takeFrames({ title, command: SHOWN, output, stepMs: 1000, endMs: 7000 }, SIZE.columns);
    frames.push(...taken);
    ends.push(...taken.slice(-1));
  }
  const [still] = ends;
  if (!still) throw new Error("Nothing was recorded.");
  mkdirSync(resolve(PICTURE, ".."), { recursive: true });
  writeFileSync(PICTURE, writeSvg("drydock run on a terminal", frames, SIZE.columns, still));
  console.log(`${PICTURE}: ${frames.length} frames`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
