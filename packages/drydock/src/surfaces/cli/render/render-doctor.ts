import type { DoctorFinding, DoctorReport } from "@drydock/protocol";
import { renderDuration } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors } from "../../terminal/terminal.ts";

const SETTINGS = ["home", "home size", "policy", "config", "ledger", "model"];
const MARKS = { ok: "✓", limited: "!", missing: "✗" } as const;

export function renderDoctor({ ok, level, findings, timings }: DoctorReport, colors: Colors): string {
  const verdict = ok
    ? `${colors.green("✓")} The sandbox works here, at the level ${colors.bold(level)}.\n`
    : `${colors.red("✗")} ${describeTrouble(level, findings)}\n`;
  return `${renderFindings(findings, colors)}\n${verdict}${renderTimings(timings, colors)}`;
}

export function renderCluster({ ok, findings }: Pick<DoctorReport, "ok" | "findings">, colors: Colors): string {
  const verdict = ok
    ? `${colors.green("✓")} Runs that wait will be carried out.\n`
    : `${colors.red("✗")} Some runs would wait for ever. See the lines marked ✗ above.\n`;
  return `${renderFindings(findings, colors)}\n${verdict}`;
}

function renderFindings(findings: readonly DoctorFinding[], colors: Colors): string {
  const paints = { ok: colors.green, limited: colors.yellow, missing: colors.red };
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const renderFinding = ({ name, state, detail, remedy }: DoctorFinding) => {
    const line = `${paints[state](MARKS[state])} ${name.padEnd(width)}  ${detail}\n`;
    return remedy === undefined ? line : `${line}  ${colors.cyan("remedy:")} ${remedy.replaceAll("\n", "\n    ")}\n`;
  };
  return findings.map(renderFinding).join("");
}

/** Names the broken settings, if there are any: otherwise the sandbox is the cause. */
function describeTrouble(level: DoctorReport["level"], findings: readonly DoctorFinding[]): string {
  const broken = findings.filter(({ state }) => state === "missing").map(({ name }) => name);
  const settings = broken.filter((name) => SETTINGS.includes(name));
  if (settings.length === 0) return "The sandbox can't run here.";
  const works = level === "none" ? "" : ` The sandbox itself works, at the level ${level}.`;
  return `Fix this first: ${settings.join(", ")}. See the lines marked ✗ above.${works}`;
}

function renderTimings(timings: DoctorReport["timings"], colors: Colors): string {
  if (timings.length === 0) return "";
  const head = ["START TIME", "BARE", "DOCK", "RATIO"].map((text) => ({ text, paint: colors.dim }));
  const rows = timings.map(({ name, bareMs, dockMs }) => [
    name,
    renderDuration(bareMs),
    renderDuration(dockMs),
    bareMs > 0 ? (dockMs / bareMs).toFixed(2) : "-",
  ]);
  return `\n${renderTable([head, ...rows], { right: [1, 2, 3] })}`;
}
