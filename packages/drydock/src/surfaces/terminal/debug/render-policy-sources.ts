import type { PolicyRow } from "../../../policy/index.ts";
import { cleanLine } from "../clean-text.ts";
import { renderTable } from "../render/render-table.ts";
import type { Colors } from "../terminal.ts";

/** Each value that is set, and by which source; all defaults are in one line. */
export function renderPolicySources(rows: readonly PolicyRow[], colors: Colors): string {
  const decided = rows.filter(({ source }) => source !== "system");
  const rest = rows.length - decided.length;
  const table = renderTable(
    decided.map(({ key, value, source, where }) => [
      { text: `  ${key}`, paint: colors.dim },
      { text: cleanLine(JSON.stringify(value)).slice(0, 100), paint: colors.dim },
      { text: where === "" ? source : `${source} ${cleanLine(where)}`, paint: colors.cyan },
    ]),
  );
  return `${colors.dim(`debug policy: ${decided.length} set, ${rest} by the system`)}\n${table}`;
}
