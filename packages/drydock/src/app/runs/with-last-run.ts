import { DrydockError } from "@drydock/protocol";
import type { Runs } from "./api.ts";

const LAST = "last";

/**
 * Lets `last` stand for the newest run where a run is only looked at. What changes something wants the id itself:
 * another client may have started a run meanwhile.
 */
export function withLastRun(runs: Runs): Runs {
  const find = async (id: string): Promise<string> => {
    if (id !== LAST) return id;
    const [newest] = (await runs.list({ limit: 1 })).runs;
    if (newest) return newest.id;
    throw new DrydockError("run.not_found", "There is no last run: the ledger is empty.", "Run something first.");
  };
  return {
    ...runs,
    get: async (id) => runs.get(await find(id)),
    error: async (id) => runs.error(await find(id)),
    events: async (id, options) => runs.events(await find(id), options),
    eventPage: async (id, options) => runs.eventPage(await find(id), options),
    async *follow(id, options) {
      yield* runs.follow(await find(id), options);
    },
    diff: async (id) => runs.diff(await find(id)),
    artifacts: async (id) => runs.artifacts(await find(id)),
    findings: async (id) => runs.findings(await find(id)),
    report: async (id, options) => runs.report(await find(id), options),
    plan: async (id) => runs.plan(await find(id)),
    records: async (id) => runs.records(await find(id)),
    readRecord: async (id, path) => runs.readRecord(await find(id), path),
    receipt: async (id, options) => runs.receipt(await find(id), options),
  };
}
