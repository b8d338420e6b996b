import type { LayerEntry } from "@drydock/protocol";
import type { LayerContents } from "../deliver-layer.ts";

export type ComparedContents = Pick<LayerContents, "read" | "readBase">;

/** A file that is longer is not read, and counts. */
const MAX_READ_BYTES = 8 << 20;

const INSTALL_SCRIPTS = ["install", "prepare", "pack", "publish", "prepublish", "prepublishOnly", "dependencies"];
const LIFECYCLE = new Set(INSTALL_SCRIPTS.flatMap((name) => [name, `pre${name}`, `post${name}`]));
const DRIVER = /(?:^|\s)(?:filter|diff|merge)=/;

/** What of a package.json runs by itself and was added or changed; null where nothing was. */
export async function findChangedScripts(contents: ComparedContents, entry: LayerEntry): Promise<string | null> {
  const texts = await readBoth(contents, entry);
  const after = texts && readScripts(texts.after);
  if (!after) return "npm may run scripts in it: it can't be read as JSON";
  // Without the old text nothing is known to be old.
  const before = (texts.before !== null && readScripts(texts.before)) || new Map<string, string>();
  const changed = [...after].filter(([name, script]) => before.get(name) !== script).map(([name]) => name);
  return changed.length === 0 ? null : `npm runs ${changed.join(", ")} by itself`;
}

/** Whether a .gitattributes names a driver in a line that was not there before. */
export async function namesNewDrivers(contents: ComparedContents, entry: LayerEntry): Promise<boolean> {
  const texts = await readBoth(contents, entry);
  if (!texts) return true;
  const known = new Set(listDriverLines(texts.before ?? ""));
  return listDriverLines(texts.after).some((line) => !known.has(line));
}

/** Null where the new text can't be looked at. */
async function readBoth(
  { read, readBase }: ComparedContents,
  { type, size = 0, sha256, wasType, wasSha256 }: LayerEntry,
): Promise<{ before: string | null; after: string } | null> {
  if (type !== "file" || sha256 === undefined || size > MAX_READ_BYTES) return null;
  const after = (await read(sha256)).toString();
  const base = wasType === "file" && wasSha256 !== undefined ? await readBase?.(wasSha256) : null;
  return { before: base?.toString() ?? null, after };
}

/** The scripts that run by themselves; null for what is no package.json. */
function readScripts(text: string): Map<string, string> | null {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof parsed !== "object" || parsed === null) return null;
    const scripts: unknown = "scripts" in parsed ? parsed.scripts : null;
    const entries = Object.entries(typeof scripts === "object" && scripts !== null ? scripts : {});
    return new Map(entries.filter(([name]) => LIFECYCLE.has(name)).map(([name, script]) => [name, String(script)]));
  } catch {
    return null;
  }
}

function listDriverLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => !line.startsWith("#") && DRIVER.test(line));
}
