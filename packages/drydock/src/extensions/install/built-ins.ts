import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ExtensionRecord } from "./types.ts";

/** Written beside them by the build, so that no process has to read YAML for what can't have changed. */
export const BUILT_IN_INDEX = "built-ins.json";

/** The extensions that come with Drydock. They are a part of it: what lies there is what was agreed to. */
export async function readBuiltIns(directory: string | null): Promise<ExtensionRecord[]> {
  if (directory === null) return [];
  const index = join(directory, BUILT_IN_INDEX);
  if (!existsSync(index)) return parseBuiltIns(directory);
  const records = JSON.parse(readFileSync(index, "utf8")) as ExtensionRecord[];
  return records.map((record) => ({ ...record, directory: join(directory, record.directory) }));
}

/** The text of the index: the same with directories by their names. */
export async function writeBuiltInIndex(directory: string): Promise<string> {
  const records = await parseBuiltIns(directory);
  return JSON.stringify(records.map((record) => ({ ...record, directory: basename(record.directory) })));
}

async function parseBuiltIns(directory: string): Promise<ExtensionRecord[]> {
  const { readExtension } = await import("../format/read-extension.ts");
  const names = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const records: ExtensionRecord[] = [];
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = join(directory, name);
    const reading = await readExtension(place);
    if (!reading.ok) {
      const [first] = reading.problems;
      const what = `${name}/${first?.file}:${first?.line ?? 1}: ${first?.field} ${first?.message}`;
      // One that is broken must not take the others with it.
      process.emitWarning(`An extension that comes with Drydock can't be used: ${what}`, "DrydockWarning");
      continue;
    }
    const { manifest, commands, hash } = reading.extension;
    records.push({
      manifest,
      commands,
      state: "enabled",
      problem: null,
      hash,
      source: "built-in",
      builtIn: true,
      installedAt: new Date(0).toISOString(),
      installedBy: "drydock",
      directory: place,
    });
  }
  return records;
}
