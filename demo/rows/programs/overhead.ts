/** What a slash command costs beyond its tool: `/jq` in a warm dock beside the bare `jq`, turn by turn. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";

const ROUNDS = 25;
const home = mkdtempSync(join(tmpdir(), "overhead-"));
const dock = await createDock({ home });
const callDock = () => dock.extensions.execute({ command: "jq", action: "data", values: { filter: ".", data: 1 } });
const callTool = async () => {
  const tool = spawn("jq", ["--null-input", "1"], { stdio: ["ignore", "pipe", "ignore"] });
  tool.stdout.resume();
  await once(tool, "close");
};
const bare: number[] = [];
const isolated: number[] = [];
for (let round = -5; round < ROUNDS; round++) {
  const [bareMs, isolatedMs] = [await time(callTool), await time(callDock)];
  if (round < 0) continue;
  bare.push(bareMs);
  isolated.push(isolatedMs);
}
await dock.close();
rmSync(home, { recursive: true });

const [alone, inDock] = [findUndisturbed(bare), findUndisturbed(isolated)];
const overhead = inDock - alone;
console.log(`jq alone: ${alone.toFixed(1)} ms; /jq data: ${inDock.toFixed(1)} ms (a quarter of ${ROUNDS} took less)`);
console.log(`overhead ${overhead < 10 ? "below" : "not below"} 10 ms: ${overhead.toFixed(1)} ms`);

async function time(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

/** The lower quartile: whatever else the machine does delays the other turns more. */
function findUndisturbed(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 2] ?? 0;
}
