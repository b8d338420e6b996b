import { DeliveryOutcome, DeliveryReport, DrydockError, Run, Verdict } from "@drydock/protocol";
import * as z from "zod";
import { readAutorun } from "../../../app/index.ts";
import { requireRun } from "../allowed-workspace.ts";
import { shorten } from "../answer.ts";
import { defineTool, type ElicitQuestion, type Tool } from "../define-tool.ts";
import type { McpContext } from "../mcp-context.ts";

const runId = z.string().describe("The id of a run, as results give it");
const OLD_NAMES = { run: "runId" };
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const MAX_DIFF_CHARS = 100_000;
const MAX_LISTED = 50;

export function createRunTools(context: McpContext): Tool[] {
  const { dock } = context;
  return [
    defineTool({
      name: "run_list",
      title: "List runs",
      description: "Lists what this server has run, newest first, with status and verdict.",
      annotations: READS,
      input: z.strictObject({
        limit: z.number().int().min(1).max(MAX_LISTED).optional().describe("How many runs to list. Default: 20"),
        verdict: Verdict.optional().describe("List only runs with this verdict. Default: all"),
      }),
      output: { runs: z.array(Run).describe("Runs of this server, the newest first.") },
      async run({ limit = 20, verdict }) {
        const runs: Run[] = [];
        for (const id of [...context.ownRuns].reverse()) {
          if (runs.length === limit) break;
          const run = await dock.runs.get(id);
          if (verdict === undefined || run.verdict === verdict) runs.push(run);
        }
        const lines = runs.map(({ id, kind, status, verdict, title }) => `${id} ${kind} ${status}/${verdict} ${title}`);
        const nothing = verdict === undefined ? "Nothing has run yet." : `No run has the verdict ${verdict}.`;
        return { error: null, value: { runs }, text: lines.join("\n") || nothing };
      },
    }),
    defineTool({
      name: "run_diff",
      title: "Show what a run changed",
      description: "Gives what a run changed in its layer as a unified diff. The workspace itself is as it was.",
      annotations: READS,
      input: z.strictObject({ runId: runId.describe("The id of a run, as results give it; `last` is the newest one") }),
      oldNames: OLD_NAMES,
      output: {
        runId: z.string().describe("Id of the run."),
        diff: z.string().describe("The changes as a unified diff; empty if there are none."),
        shortened: z.boolean().describe("True if the diff was too long and was cut."),
      },
      async run({ runId: requestedId }) {
        // `last` is looked up once: the run that is shown is the one that was checked.
        const { id } = await requireRun(context, requestedId);
        const diff = await dock.runs.diff(id);
        const text = shorten(diff, MAX_DIFF_CHARS);
        const value = { runId: id, diff: text, shortened: diff.length > MAX_DIFF_CHARS };
        return { error: null, value, text: text || "The run changed nothing." };
      },
    }),
    defineTool({
      name: "run_apply",
      title: "Apply what a run changed",
      description:
        "Puts what a run changed into its workspace, all of it or nothing. Refused where files changed in the meantime in a way that can't be merged, and for work of a goal that did not pass its checks. Files that programs run by themselves (.envrc, CI files, install scripts) need a person's approval: the client asks for it, or the error names the command to type.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: z.strictObject({
        runId,
        branch: z.string().optional().describe("Commits on this new git branch and leaves the files as they are"),
        includeIgnored: z.boolean().optional().describe("Delivers new files that git ignores, too. Default: false"),
      }),
      oldNames: OLD_NAMES,
      output: { ...DeliveryReport.shape, outcome: DeliveryOutcome },
      async run({ runId: id, branch, includeIgnored }, { signal, decision }) {
        await requireRun(context, id);
        // A model's word is not a person's: there is no argument for it.
        const applying = dock.runs.apply(id, { branch, includeIgnored, allowAutorun: decision === true, signal });
        const delivered = await applying.catch((error: unknown) => asQuestion(error, decision));
        if ("question" in delivered) return delivered;
        const files = delivered.changes.map(({ path, kind }) => `${path} (${kind})`).join(", ");
        const text = [`${delivered.outcome}: ${files || "no files"}`, ...delivered.notes].join("\n");
        return { error: null, value: { ...delivered }, text };
      },
    }),
  ];
}

/** A refusal that a person can lift becomes a question, once. */
function asQuestion(error: unknown, decision: boolean | null): ElicitQuestion {
  const files = readAutorun(error);
  if (decision !== null || files.length === 0 || !(error instanceof DrydockError)) throw error;
  const listed = files.slice(0, MAX_LISTED).map(({ path, reason }) => `${path} (${reason})`);
  const more = files.length > listed.length ? [`… and ${files.length - listed.length} more`] : [];
  const question = [
    "Other programs execute these files automatically:",
    ...listed,
    ...more,
    "",
    "May they be delivered?",
  ].join("\n");
  return { question, refusal: error };
}
