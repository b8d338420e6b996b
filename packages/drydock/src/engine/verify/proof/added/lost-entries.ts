import type { ChangeOptions } from "../judge-change.ts";

const ENTRIES = ["main", "module", "browser", "exports", "imports", "bin"] as const;

/**
 * A package.json that still leads to a file that the change deleted: whoever does not come by the condition that the check sets
 * finds nothing there. Null: none.
 */
export async function findLostEntry({
  baseline,
  context,
}: Pick<ChangeOptions, "baseline" | "context">): Promise<string | null> {
  const deleted = new Set(baseline.changed.flatMap(({ path, kind }) => (kind === "deleted" ? [path] : [])));
  if (deleted.size === 0) return null;
  for (const { path, kind } of baseline.changed) {
    const directory = /^(.*\/)?package\.json$/.exec(path);
    if (!directory || kind === "deleted") continue;
    const lost = listTargets((await context.tree.read(path))?.toString() ?? "").find((target) =>
      deleted.has(`${directory[1] ?? ""}${target.replace(/^\.\//, "")}`),
    );
    if (lost !== undefined)
      return `${path} leads to ${lost}, which was deleted: programs that use this path find nothing.`;
  }
  return null;
}

/** All texts of the fields that name files, at any depth. */
function listTargets(text: string): string[] {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== "object" || manifest === null) return [];
    return Object.entries(manifest).flatMap(([name, value]) =>
      (ENTRIES as readonly string[]).includes(name) ? listTexts(value) : [],
    );
  } catch {
    return [];
  }
}

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
