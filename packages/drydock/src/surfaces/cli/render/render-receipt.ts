import { countWord, type ReceiptCheck, type ReceiptReport } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors } from "../../terminal/terminal.ts";

const MAX_SHOWN = 40;

/** What a receipt proves, and what that rests on. */
export function renderReceipt(report: ReceiptReport, colors: Colors): string {
  const { problem, facts, key, checks, properties, record } = report;
  if (problem || !facts || !key) {
    const where = problem && problem.line > 0 ? `line ${problem.line}, ` : "";
    const what = report.whole ? "The receipt is intact, but does not match" : "The receipt is not valid";
    return `${colors.red("✗")} ${what} (${where}${problem?.part}): ${cleanLine(problem?.message ?? "")}\n`;
  }
  const mark = report.ok ? colors.green("✓") : colors.red("✗");
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const head = `${mark} The receipt is intact. Verdict: ${facts.verdict}, ${passed} of ${countWord(checks.length, "check")} passed.\n`;
  const { run, ledger, delivered } = facts;
  const rows: [string, string][] = [
    ["key", key.id],
    ...report.subject.flatMap(({ name, digest }) =>
      Object.entries(digest).map(([kind, value]): [string, string] => [name, `${value} (${kind})`]),
    ),
    ...(report.sameTree ? [["directory", "is this tree"] satisfies [string, string]] : []),
    ["run", `${run.id} (${run.kind}: ${run.title}), ended ${run.endedAt}`],
    ["reason", facts.reason],
    [
      "delivered",
      delivered === null ? "no" : `${delivered.at}${delivered.branch ? `, branch ${delivered.branch}` : ""}`,
    ],
    ["policy", `${facts.policySha256} (sha256)`],
    ["ledger", `head ${ledger.position} ${ledger.hash}`],
    ["signed", `${facts.signedAt}, by drydock ${facts.drydockVersion}`],
    ...properties.map((property): [string, string] => ["property", property]),
    ...(record ? [["record", describeRecord(record)] satisfies [string, string]] : []),
  ];
  const table = renderTable(rows.map(([name, value]) => [{ text: `  ${name}`, paint: colors.dim }, cleanLine(value)]));
  const shown = checks.slice(0, MAX_SHOWN).map((check) => renderCheck(check, colors));
  if (checks.length > MAX_SHOWN) shown.push(`  … and ${countWord(checks.length - MAX_SHOWN, "more check")}\n`);
  return `${head}${table}${shown.join("")}${key.pinned ? PINNED : colors.yellow(UNPINNED)}`;
}

const PINNED = "The receipt is signed with the key that you named, and was not changed since.\n";
const UNPINNED =
  "The key came with the receipt: anybody could have made it. Compare its id with one that you have from its owner: --key.\n";

const describePassing = (count: number) => countWord(count, "test newly passes", "tests newly pass");

function renderCheck(
  { verdict, label, reason, source, alsoPassesBefore, sufficient, tests, control }: ReceiptCheck,
  colors: Colors,
) {
  const mark = verdict === "passed" ? colors.green("✓") : colors.red("✗");
  const notes = [
    `required by ${source}`,
    alsoPassesBefore === true && "passes without the change as well",
    sufficient && "declared sufficient by a person",
    tests && `${describePassing(tests.counts.newlyPassing)}, ${tests.counts.missing + tests.counts.skipped} lost`,
    control && control.failed !== null && (control.failed ? "control failed, as it should" : "control passed"),
  ].filter(Boolean);
  return `  ${mark} ${cleanLine(label)} — ${cleanLine(reason)} ${colors.dim(`(${notes.join("; ")})`)}\n`;
}

function describeRecord({ events, contents, base, baseMissing }: NonNullable<ReceiptReport["record"]>): string {
  const files = base ? "and the directory it began with" : `without the directory it began with (${baseMissing})`;
  return `${countWord(events, "event")}, ${countWord(contents, "content")}, ${files}`;
}
