import { countWord } from "@drydock/protocol";
import type { Checkpoint, WrapResult, WrapReview } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";
import { renderChanges } from "../goal/render-changes.ts";
import { renderDelivery } from "../render/render-delivery.ts";

const SHOWN_HOSTS = 20;

/** What a person decides on: this diff, these hosts, these checks. */
export function renderReview(review: WrapReview, diff: string, terminal: Terminal): string {
  const { outColors: colors } = terminal;
  return [
    `\n${colors.bold("Changes")} (${countWord(review.changes.length, "path")})\n`,
    renderChanges(diff, terminal),
    renderHosts(review, colors),
    ...review.notes.map((note) => `${colors.yellow("note:")} ${cleanLine(note)}\n`),
    renderVerdict(review, colors),
  ].join("");
}

export function renderVerdict({ verdict, reason }: Pick<WrapReview, "verdict" | "reason">, colors: Colors): string {
  const paint = verdict === "passed" ? colors.green : verdict === "failed" ? colors.red : colors.yellow;
  return `${colors.bold("Verdict")} ${paint(verdict)}: ${cleanLine(reason)}\n`;
}

/** Each host once: how often, and how much went which way. */
export function renderHosts({ network }: Pick<WrapReview, "network">, colors: Colors): string {
  const { connected, refused } = network;
  if (connected.length + refused.length === 0) return "";
  const reached = Map.groupBy(connected, ({ host, port }) => `${host}:${port}`);
  const denied = Map.groupBy(refused, ({ host, port }) => `${host}:${port}`);
  const rows = [
    ...[...reached].map(([host, list]) => {
      const up = list.reduce((sum, each) => sum + each.bytesUp, 0);
      const down = list.reduce((sum, each) => sum + each.bytesDown, 0);
      return ["", { text: "✓", paint: colors.green }, cleanLine(host), `${up} bytes sent, ${down} received`];
    }),
    ...[...denied].map(([host, list]) => [
      "",
      { text: "✗", paint: colors.red },
      cleanLine(host),
      `refused ${list.length === 1 ? "once" : `${list.length} times`}: ${cleanLine(list[0]?.reason ?? "")}`,
    ]),
  ];
  const more = rows.length > SHOWN_HOSTS ? `  and ${countWord(rows.length - SHOWN_HOSTS, "more host")}\n` : "";
  return `${colors.bold("Hosts")}\n${renderTable(rows.slice(0, SHOWN_HOSTS), {})}${more}`;
}

/** What became of it, and how to go on. */
export function renderFate(result: WrapResult, terminal: Terminal): string {
  const { runId, delivery, delivered, checkpoints, notes } = result;
  const { outColors: colors } = terminal;
  // Where there was something to decide on, they were a part of that.
  const told = delivery === "nothing" ? notes : [];
  const lines = told.map((note) => `${colors.yellow("note:")} ${cleanLine(note)}\n`);
  const states = checkpoints > 2 ? `states: drydock wrap checkpoints ${runId}\n` : "";
  switch (delivery) {
    case "applied":
      return lines.join("") + (delivered ? renderDelivery(delivered, colors) : "");
    case "discarded":
      return `${lines.join("")}The changes are discarded (${runId}).\n`;
    case "nothing":
      return `${renderHosts(result, colors)}${lines.join("")}Nothing was changed (${runId}).\n`;
    case "kept":
      return [
        ...lines,
        `The changes are kept in ${runId}.\n`,
        `diff:   drydock runs diff ${runId}\n`,
        renderNext(result),
        `go on:  drydock wrap --from ${runId}\n`,
        states,
      ].join("");
    default:
      return delivery satisfies never;
  }
}

/** What was not judged is judged first; what failed is not applied at all. */
function renderNext({ runId, verdict, refusal, checkpoints }: WrapResult): string {
  if (verdict === "failed") return "";
  if (refusal !== null) return `check:  drydock wrap rewind ${runId} ${checkpoints - 1}\n`;
  return `apply:  drydock runs apply ${runId}${verdict === "unproven" ? " --allow-unproven" : ""}\n`;
}

export function renderCheckpoints(list: readonly Checkpoint[], { outColors, columns }: Terminal): string {
  const rows = list.map(({ number, at, reason, entries, treeHash }) => [
    String(number),
    at.slice(0, 19).replace("T", " "),
    reason,
    `${countWord(entries, "path")} changed`,
    { text: treeHash.slice(0, 12), paint: outColors.dim },
  ]);
  return renderTable([["NO", "AT (UTC)", "REASON", "CHANGES", "TREE"], ...rows], { right: [0], columns });
}
