import { join } from "node:path";
import type { Redactor } from "../../ledger/index.ts";
import { findPython } from "../../sandbox/index.ts";
import type { Config } from "../config.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import type { GoalPorts } from "./goal-ports.ts";

/** Plugs together what goals need. Whatever most uses of a dock can do without is loaded when it is called. */
export function openGoalPorts(
  ports: ExecPorts,
  { config, home, redactor }: { config: Config; home: string; redactor: Redactor },
): GoalPorts {
  const { ledger } = ports;
  return {
    ...ports,
    promptsDirectory: join(home, "prompts"),
    recordsDirectory: join(home, "cache", "records"),
    findPython: () => findPython(config.python, config.searchPath).path,
    readModelSettings: async (model) => {
      const { readModelSettings } = await import("../models/index.ts");
      return readModelSettings({ home, environment: config.environment, model });
    },
    readDefaults: async () => (await import("../models/index.ts")).readDefaults(home, config.environment),
    approvedProfile: async (workspace) => (await import("../profiles/index.ts")).readApprovedProfile(ledger, workspace),
    readEvents: (runId) => readAllEvents(ledger, runId),
    openRecorder: async (runId, past) => {
      const { openRecorder } = await import("../runs/records.ts");
      const warn = (text: string) => process.emitWarning(text, "DrydockWarning");
      return openRecorder({ ledger, redactor, home }, runId, past, warn);
    },
    checkBranch: async (workspace, branch) => {
      const { checkBranch } = await (await import("../../engine/index.ts")).loadDelivery();
      return checkBranch({ workspace, searchPath: config.searchPath }, branch);
    },
    apply: async (runId, options) => {
      const { applyRun } = await import("../deliveries/index.ts");
      const { policies, own } = ports;
      return applyRun({ ledger, policies, home, own, searchPath: config.searchPath }, runId, options);
    },
  };
}
