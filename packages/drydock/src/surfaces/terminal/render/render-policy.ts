import type { PolicyAnswer } from "@drydock/protocol";
import { fitText } from "../../../base/text/index.ts";
import type {
  PolicyChange,
  PolicyDenial,
  PolicyEdit,
  PolicyRepair,
  PolicyRow,
  PolicyValue,
} from "../../../policy/index.ts";
import { cleanLine } from "../clean-text.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { renderTable } from "./render-table.ts";

const VALUE_CHARS = 60;

/** Each value with its ceiling, where that is another, and the source that set it. */
export function renderExplanation(
  rows: readonly PolicyRow[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  const head = ["KEY", "VALUE", "CEILING", "FROM"].map((text) => ({ text, paint: outColors.dim }));
  const body = rows.flatMap(splitEntries).map(({ key, value, ceiling, source, where }) => {
    const [shown, most] = [renderValue(value), renderValue(ceiling)];
    return [
      key,
      shown,
      { text: JSON.stringify(value) === JSON.stringify(ceiling) ? "=" : most, paint: outColors.dim },
      { text: where === "" ? source : `${source} ${cleanLine(where)}`, paint: outColors.cyan },
    ];
  });
  return renderTable([head, ...body], { columns });
}

/** A list whose entries come from several sources takes a line for each. */
function splitEntries(row: PolicyRow): PolicyRow[] {
  const { entries } = row;
  if (!entries) return [row];
  return entries.map(({ value, source, where }) => ({ ...row, value: [value], ceiling: [value], source, where }));
}

/** As it fits into a cell of a table. */
function renderValue(value: PolicyValue): string {
  return fitText(renderWhole(value), VALUE_CHARS);
}

function renderWhole(value: PolicyValue): string {
  return cleanLine(Array.isArray(value) ? `[${value.join(", ")}]` : String(value));
}

/** The verdict, the rule that decides, and what can be done about it. */
export function renderAnswer(
  { verdict, key, entry, source, where, reason, hint }: PolicyAnswer,
  colors: Colors,
): string {
  const paint = verdict === "allowed" ? colors.green : verdict === "denied" ? colors.red : colors.yellow;
  const rule = entry === null ? key : `${cleanLine(entry)} in ${key}`;
  const lines = [
    `${paint(verdict)}  ${rule} (${where === "" ? source : `${source} ${cleanLine(where)}`})`,
    ...[reason, hint].flatMap((text) => (text === null ? [] : [`  ${cleanLine(text)}`])),
  ];
  return `${lines.join("\n")}\n`;
}

export function renderEdit({ file, added, already, stopped }: PolicyEdit, colors: Colors): string {
  const lines = [
    ...added.map((value) => `${colors.green("✓")} ${cleanLine(value)} is allowed from now on`),
    ...already.map((value) => `${colors.dim("=")} ${cleanLine(value)} was allowed already`),
    ...stopped.map(
      ({ entry, key, by }) => `${colors.yellow("!")} ${cleanLine(entry)} is still blocked by ${key}: ${cleanLine(by)}`,
    ),
  ];
  return `${lines.join("\n")}\n  (${file})\n`;
}

export function renderDenial({ file, denied, already }: PolicyDenial, colors: Colors): string {
  const lines = [
    ...denied.map((value) => `${colors.green("✓")} ${cleanLine(value)} is denied from now on`),
    ...already.map((value) => `${colors.dim("=")} ${cleanLine(value)} was already not allowed`),
  ];
  return `${lines.join("\n")}\n  (${file})\n`;
}

/** A key was removed from a file that is not valid. */
export function renderRepair({ file, key, problems }: PolicyRepair, colors: Colors): string {
  const lines = [`${colors.green("✓")} ${cleanLine(key)} is removed`];
  if (problems.length === 0) lines.push("  The policy is valid now.");
  else lines.push("  The policy is still not valid:", ...problems.map((problem) => `  ${cleanLine(problem)}`));
  return `${lines.join("\n")}\n  (${file})\n`;
}

/** What holds now, what held before, and what a request may still ask for: no ceiling moves without a word. */
export function renderChange({ file, key, before, after, ranged, written }: PolicyChange, colors: Colors): string {
  const isMoved = (part: "default" | "ceiling") => JSON.stringify(before[part]) !== JSON.stringify(after[part]);
  const was = (part: "default" | "ceiling") => (isMoved(part) ? ` (was ${renderWhole(before[part])})` : "");
  const mark = written ? colors.green("✓") : colors.dim("=");
  const lines = [`${mark} ${key}: ${renderWhole(after.default)}${was("default")}`];
  const isApart = JSON.stringify(after.default) !== JSON.stringify(after.ceiling);
  if (ranged && (isApart || isMoved("ceiling"))) {
    lines.push(`  ceiling: ${renderWhole(after.ceiling)}${was("ceiling")}, the most that a request may ask for`);
  }
  if (!written) lines.push("  The owner's policy does not set it: nothing was changed.");
  return `${lines.join("\n")}\n  (${file})\n`;
}
