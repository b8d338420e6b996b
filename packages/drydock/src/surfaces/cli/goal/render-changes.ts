import { countWord } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type ChangedFile, countChanges } from "./count-changes.ts";

const MAX_FILES = 20;

/** What a diff changes: a file a line, with how many lines came and went. */
export function renderChanges(diff: string, { outColors, columns }: Pick<Terminal, "outColors" | "columns">): string {
  const files = countChanges(diff);
  const rows = files
    .slice(0, MAX_FILES)
    .map((file) => [
      "",
      { text: file.isBinary ? "" : `+${file.added}`, paint: outColors.green },
      { text: file.isBinary ? "bin" : `-${file.removed}`, paint: outColors.red },
      `${cleanLine(file.path)}${describeKind(file)}`,
    ]);
  const more = files.length > MAX_FILES ? `  and ${countWord(files.length - MAX_FILES, "more file")}\n` : "";
  return renderTable(rows, { right: [1, 2], columns }) + more;
}

function describeKind({ kind }: ChangedFile): string {
  return kind === "changed" ? "" : ` (${kind === "added" ? "new" : kind})`;
}
