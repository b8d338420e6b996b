/** `npm run demo`: goals, proofs and what stands behind them, act by act. Exit status 0 only if every act behaved as it says. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { catchCheat, catchLie } from "./acts/catch-lies.ts";
import { checkLedger } from "./acts/check-ledger.ts";
import { fixNodeBug, fixPythonBug, repairNodeBug, repairPythonBug } from "./acts/fix-bugs.ts";
import { measureStart } from "./acts/measure-start.ts";
import { replayGoals } from "./acts/replay-goals.ts";
import { reportSales } from "./acts/report-sales.ts";
import { reworkService } from "./acts/rework-service.ts";
import { runHostileProgram } from "./acts/run-hostile-program.ts";
import { talkToAgent } from "./acts/talk-to-agent.ts";
import { travelInTime } from "./acts/travel-in-time.ts";
import { createStage } from "./stage.ts";

const GOALS = [fixPythonBug, fixNodeBug, reportSales, reworkService, catchLie, catchCheat];
const SANDBOX = [runHostileProgram, measureStart, travelInTime];
const LIVE = [repairPythonBug, repairNodeBug];
const ACTS = [...LIVE, ...GOALS, ...SANDBOX, talkToAgent, replayGoals, checkLedger];
const stage = createStage(mkdtempSync(join(tmpdir(), "drydock-demo-")));
// A secret of the host: an act below tries to steal it.
process.env.DEMO_API_TOKEN = "demo-token-that-nobody-inside-may-see";
const startedAt = performance.now();
try {
  const dock = await createDock({ home: join(stage.directory, "home") });
  try {
    for (const act of ACTS) {
      await act(dock, stage).catch((error: Error) =>
        stage.check(`${act.name} went to its end: ${error.message}`, false),
      );
    }
  } finally {
    await dock.close();
  }
} finally {
  rmSync(stage.directory, { recursive: true, force: true });
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  stage.failed.length === 0
    ? `\nEverything behaved as it should, in ${seconds} s.`
    : `\nNot as it should be:\n${stage.failed.map((statement) => `  - ${statement}`).join("\n")}`,
);
process.exitCode = stage.failed.length === 0 ? 0 : 1;
