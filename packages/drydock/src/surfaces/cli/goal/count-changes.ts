export interface ChangedFile {
  path: string;
  kind: "added" | "changed" | "deleted" | "renamed";
  added: number;
  removed: number;
  isBinary: boolean;
}

/** Files of a unified diff as git writes it, each with how many lines came and went. */
export function countChanges(diff: string): ChangedFile[] {
  const files: ChangedFile[] = [];
  let current: ChangedFile | undefined;
  let isHunk = false;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) {
      current = { path: pathOf(line), kind: "changed", added: 0, removed: 0, isBinary: false };
      files.push(current);
      isHunk = false;
    } else if (!current) continue;
    else if (line.startsWith("@@")) isHunk = true;
    else if (isHunk && line.startsWith("+")) current.added += 1;
    else if (isHunk && line.startsWith("-")) current.removed += 1;
    else if (isHunk) continue;
    else if (line.startsWith("new file")) current.kind = "added";
    else if (line.startsWith("deleted file")) current.kind = "deleted";
    else if (line.startsWith("rename to ")) current.kind = "renamed";
    else if (line.startsWith("Binary files")) current.isBinary = true;
  }
  return files;
}

/** `diff --git a/x b/x`: both sides are alike but for a rename, whose second one is meant; odd names stand in quotes. */
function pathOf(line: string): string {
  const rest = line.slice("diff --git ".length);
  const quoted = /"b\/((?:[^"\\]|\\.)*)"$/.exec(rest)?.[1];
  if (quoted !== undefined) return quoted;
  const half = rest.slice((rest.length + 1) / 2);
  if (half.startsWith("b/") && rest === `a/${half.slice(2)} ${half}`) return half.slice(2);
  return rest.slice(rest.lastIndexOf(" b/") + 3);
}
