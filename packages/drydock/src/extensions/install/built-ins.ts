import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readExtension } from "../format/read-extension.ts";
import type { ExtensionRecord } from "./types.ts";

/** The extensions that come with Drydock. They are a part of it: what lies there is what was agreed to. */
export async function readBuiltIns(directory: string | null): Promise<ExtensionRecord[]> {
  if (directory === null) return [];
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
