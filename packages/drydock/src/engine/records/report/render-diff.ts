import { type Html, html } from "./html.ts";
import type { PageBudget } from "./shorten-text.ts";
import { renderNote } from "./state-mark.ts";

const LENGTHS = { lines: 400, characters: 40_000 };
const OPEN_LINES = 60;

type LineKind = "added" | "removed" | "hunk" | "file" | "same";

/**
 * A unified diff, folded away where it is long. The signs stay at the lines, because a printed page may have no
 * colours.
 */
export function renderDiff(diff: string, about: string, budget: PageBudget): Html {
  const trimmed = diff.replace(/\n+$/, "");
  if (trimmed === "") return html`<p class="quiet">No changes.</p>`;
  const { added, removed } = countChanges(trimmed);
  const { text, note } = budget.take(trimmed, LENGTHS);
  const open = text.split("\n").length <= OPEN_LINES;
  return html`<details class="fold"${open && html` open`}><summary>Changes <span class="plus">+${added}</span> <span class="minus">−${removed}</span> <span class="quiet">${about}</span></summary>
${note !== null && renderNote(note)}<pre class="diff"><code>${groupLines(text).map(([kind, lines]) => html`<span class="${kind}">${lines}\n</span>`)}</code></pre></details>`;
}

function groupLines(text: string): [LineKind, string][] {
  const groups: [LineKind, string][] = [];
  const kinds = readKinds(text);
  for (const [kind, line] of kinds) {
    const last = groups.at(-1);
    if (last?.[0] === kind) last[1] += `\n${line}`;
    else groups.push([kind, line]);
  }
  return groups;
}

function* readKinds(text: string): Generator<[LineKind, string]> {
  let inHunk = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("@@")) inHunk = true;
    else if (line.startsWith("diff --git ") || line.startsWith("Index: ")) inHunk = false;
    // A removed line that itself begins with two dashes looks like a file's head, and only its place tells them apart.
    const isHead = !inHunk || (line.startsWith("--- ") && /^--- (a\/|\/dev\/null|")/.test(line));
    if (isHead && line.startsWith("--- ")) inHunk = false;
    yield [kindOf(line, inHunk), line];
  }
}

function kindOf(line: string, inHunk: boolean): LineKind {
  if (line.startsWith("@@")) return "hunk";
  if (!inHunk) return "file";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

function countChanges(diff: string): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const [kind] of readKinds(diff)) {
    if (kind === "added") added += 1;
    if (kind === "removed") removed += 1;
  }
  return { added, removed };
}
