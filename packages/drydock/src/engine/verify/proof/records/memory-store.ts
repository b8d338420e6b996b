import type { RecordStore } from "./base-record.ts";

const MAX_RECORDS = 500;

/** Records for as long as this process lives. */
export function createMemoryStore(): RecordStore {
  const records = new Map<string, string>();
  return {
    read: async (key) => records.get(key) ?? null,
    async write(key, text) {
      records.set(key, text);
      const [oldest] = records.keys();
      if (records.size > MAX_RECORDS && oldest !== undefined) records.delete(oldest);
    },
  };
}
