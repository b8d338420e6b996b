import { DrydockError, type ModelBudget } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { openSpending, type Spending } from "../models/index.ts";
import { type Control, openControl } from "../runs/open-control.ts";
import { asDrydockError } from "../runs/refuse-run.ts";

interface ModelRunRequest {
  title: string;
  request: Record<string, unknown>;
  budget: ModelBudget;
}

/**
 * Work on a knowledge base outside of an agent's run. What its models do is a run of its own, which begins before the first call
 * of one; where none is called, there is no run.
 */
export async function withModelRun<T>(
  ledger: Ledger,
  { title, request, budget }: ModelRunRequest,
  work: (spending: Spending) => Promise<T>,
): Promise<T> {
  let opening: Promise<{ id: string; control: Control }> | undefined;
  const open = async () => {
    const created = { kind: "knowledge" as const, title, workspace: null, data: { policy: null, request } };
    const { id } = await ledger.createRun(created);
    return { id, control: openControl(ledger, id, undefined) };
  };
  const spending = openSpending(budget, {
    async begin() {
      opening ??= open();
      return (await opening).control.signal;
    },
    record: async (call) => {
      if (opening) await ledger.append((await opening).id, [{ type: "model.called", data: { ...call } }]);
    },
  });
  const end = async (error: DrydockError | null) => {
    const run = await opening?.catch(() => null);
    if (!run) return;
    run.control.close();
    const isCancelled = error?.code === "run.cancelled";
    const type = error === null ? "run.succeeded" : isCancelled ? "run.cancelled" : "run.failed";
    const facts = { verdict: "unverified", treeHash: null, error: error?.toInfo() ?? null };
    await ledger.finish(run.id, { type, data: { ...facts, usage: spending.total() } });
  };
  try {
    const result = await work(spending);
    await end(null);
    return result;
  } catch (error) {
    await end(error instanceof DrydockError ? error : asDrydockError(error));
    throw error;
  }
}
