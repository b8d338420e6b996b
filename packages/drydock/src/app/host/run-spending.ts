import type { ModelBudget } from "@drydock/protocol";
import type { RunRecord } from "../../host/index.ts";
import { openSpending, type Spending } from "../models/index.ts";

/** What the models of each run of an agent use. The budget is that of `config.yaml` when a run asks its first model. */
export interface RunSpendings {
  /** The record, whose end has what its models used as `spent`. */
  follow(record: RunRecord): RunRecord;
  of(record: RunRecord): Promise<Spending>;
}

export function createRunSpendings(readBudget: () => Promise<ModelBudget>): RunSpendings {
  const opened = new Map<string, Promise<Spending>>();

  const open = async (record: RunRecord): Promise<Spending> =>
    openSpending(await readBudget(), { record: (call) => record.append("model.called", { ...call }) });
  return {
    follow: (record) => ({
      ...record,
      async finish(type, data) {
        const spent = (await opened.get(record.id)?.catch(() => null))?.total() ?? null;
        await record.finish(type, { ...data, ...(spent && { spent }) });
      },
      close() {
        opened.delete(record.id);
        record.close();
      },
    }),
    of(record) {
      const spending = opened.get(record.id) ?? open(record);
      opened.set(record.id, spending);
      // Settings that can't be read fail this call; the next one reads them again.
      spending.catch(() => opened.delete(record.id));
      return spending;
    },
  };
}
