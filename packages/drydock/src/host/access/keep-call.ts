import type { KeptValue, RunRecord } from "../ports.ts";

/** So much of the params and results of its calls is kept of a run, for a replay of it: as much as of an execution's output. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

type KeptCall = Record<"params" | "result", KeptValue> | { unkept: true };

/** What the record has of each call of a run. Those that no longer fit are on record without their values. */
export function createCallKeeper(record: Pick<RunRecord, "keep">) {
  let left = MAX_KEPT_BYTES;
  return async (params: unknown, result: unknown): Promise<KeptCall> => {
    const bytes = jsonBytes(params) + jsonBytes(result);
    if (bytes > left) return { unkept: true };
    left -= bytes;
    return { params: await record.keep(params), result: await record.keep(result) };
  };
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
