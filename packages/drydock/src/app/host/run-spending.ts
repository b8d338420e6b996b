import type { ModelBudget } from "@drydock/protocol";
import type { RunRecord } from "../../host/index.ts";
import { openSpending, type Spending } from "../models/index.ts";

/** What the models of each run of an agent use. The budget is that of `config.yaml` when a run asks its first model. */
export interface RunSpendings {
  /** The record, whose end has what its models used as `spent`. */
  follow(record: RunRecord): RunRecord;
  of(record: Pick<RunRecord, "id">): Promise<Spending>;
}

export function createRunSpendings(readBudget: () => Promise<ModelBudget>): RunSpendings {
  const records = new Map<string, RunRecord>();
  const opened = new Map<string, Promise<Spending>>();

  const open = async (id: string): Promise<Spending> => {
    const record = records.get(id);
    return openSpending(await readBudget(), {
      record: async (call) => record?.append("model.called", { ...call }),
    });
  };
  return {
    follow(record) {
      records.set(record.id, record);
      return {
        ...record,
        async finish(type, data) {
          const spent = (await opened.get(record.id)?.catch(() => null))?.total() ?? null;
          await record.finish(type, { ...data, ...(spent && { spent }) });
        },
        close() {
          records.delete(record.id);
          opened.delete(record.id);
          record.close();
        },
      };
    },
    of({ id }) {
      const spending = opened.get(id) ?? open(id);
      opened.set(id, spending);
      // Settings that can't be read fail this call; the next one reads them again.
      spending.catch(() => opened.delete(id));
      return spending;
    },
  };
}
