import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DiskUsage } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { measureDirectory } from "./measure-directory.ts";

/** What each name in the home belongs to. The store `artifacts/` is divided by what the ledger says of its files. */
const PARTS: Readonly<Record<string, string>> = {
  runs: "runs",
  deliveries: "runs",
  cache: "caches",
  environments: "environments",
  extensions: "extensions",
  tools: "extensions",
  bin: "extensions",
  wraps: "wraps",
};

const DETAILS: readonly (readonly [name: string, detail: string])[] = [
  ["ledger", "ledger.db: runs and events"],
  ["free", "room in ledger.db that new runs use first"],
  ["runs", "readable copies of runs, and what is needed to undo their deliveries"],
  ["artifacts", "files that runs created"],
  ["layers", "changes made by runs, and answers of models"],
  ["unused", "files that nothing uses any more; drydock prune removes them after an hour"],
  ["caches", "made again when needed; may be deleted"],
  ["environments", "installed Python packages"],
  ["extensions", "extensions, their tools and files"],
  ["wraps", "homes of wrapped programs"],
  ["settings", "policy, configuration, keys, secrets, tokens, locks"],
];

export async function measureHome(
  ledger: Pick<Ledger, "measureContent" | "measureFreeSpace" | "measureServer">,
  home: string,
): Promise<DiskUsage> {
  const bytes = new Map<string, number>(Object.entries(await ledger.measureContent()));
  const onServer = await ledger.measureServer();
  bytes.set("ledger", onServer ?? 0);
  for (const name of await readdir(home)) {
    // In a shared database contents are counted above; what is here are copies of them.
    if (name === "artifacts" && onServer === null) continue;
    const part = name === "artifacts" ? "caches" : /^ledger\.db/.test(name) ? "ledger" : (PARTS[name] ?? "settings");
    bytes.set(part, (bytes.get(part) ?? 0) + (await measureDirectory(join(home, name))));
  }
  const free = Math.min(await ledger.measureFreeSpace(), bytes.get("ledger") ?? 0);
  bytes.set("free", free).set("ledger", (bytes.get("ledger") ?? 0) - free);
  const parts = DETAILS.map(([name, detail]) => ({
    ...{ name, bytes: bytes.get(name) ?? 0 },
    detail: name === "ledger" && onServer !== null ? "the database: runs and events" : detail,
  }));
  return { home, totalBytes: parts.reduce((sum, part) => sum + part.bytes, 0), parts };
}
