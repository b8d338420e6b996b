const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Lines that a diff adds or removes. What looks like the head of a file is a change where it stands in a hunk. */
export function listChangedLines(diff: string): string[] {
  const changed: string[] = [];
  // Of the hunk, before and after the change.
  let [before, after] = [0, 0];
  for (const line of diff.split("\n")) {
    if (before <= 0 && after <= 0) {
      const hunk = HUNK.exec(line);
      if (hunk) [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      continue;
    }
    if (line.startsWith("-")) before -= 1;
    else if (line.startsWith("+")) after -= 1;
    else if (!line.startsWith("\\")) [before, after] = [before - 1, after - 1];
    if (/^[+-]/.test(line)) changed.push(line);
  }
  return changed;
}
