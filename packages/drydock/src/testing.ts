import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createDock, type Dock, type DockOptions } from "./app/index.ts";
import { openRecording, type RecordingMode } from "./tasks/index.ts";

export {
  assertCode,
  assertFailed,
  assertOk,
  assertResult,
  assertToolCalls,
  assertVerdict,
  type ExpectedCall,
  type RecordingMode,
} from "./tasks/index.ts";

export interface TestDockOptions extends Pick<DockOptions, "python" | "warm"> {
  /** The file that keeps what the model answered; it belongs beside the test. */
  recording: string;
  /** Default `auto`: replays where the file is there, records where it is not. */
  mode?: RecordingMode;
  /** The model to record. Default: DRYDOCK_MODEL. A replay asks none. */
  model?: string;
  /** The text of the owner's policy. */
  policy?: string;
}

export interface TestDock {
  readonly dock: Dock;
  readonly mode: "record" | "replay";
  /** How many requests were made of the model, or of its recording. */
  modelCalls(): number;
  /** Closes the dock and removes its home. */
  close(): Promise<void>;
}

/** A dock with a home of its own, whose tasks, workflows and agents ask a recording. */
export async function openTestDock({
  recording: file,
  mode,
  model,
  policy,
  ...options
}: TestDockOptions): Promise<TestDock> {
  const recording = openRecording(resolve(file), mode);
  const home = await mkdtemp(join(tmpdir(), "drydock-test-"));
  if (policy !== undefined) await writeFile(join(home, "policy.yaml"), policy);
  if (model !== undefined)
    await writeFile(join(home, "config.yaml"), JSON.stringify({ models: { default: wholePath(model) } }));
  const dock = await createDock({ warm: 1, ...options, home, wrapModel: recording.wrap });
  return {
    dock,
    mode: recording.mode,
    modelCalls: recording.requestCount,
    async close() {
      await dock.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The dock's home is elsewhere. */
function wholePath(model: string): string {
  return model.startsWith("scripted:") ? `scripted:${resolve(model.slice("scripted:".length))}` : model;
}
