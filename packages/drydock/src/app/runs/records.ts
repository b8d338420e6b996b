import { isUtf8 } from "node:buffer";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { DrydockError, REPORT_FORMATS, type ReportFormat, type Run, type RunEvent } from "@drydock/protocol";
import manifest from "../../../package.json" with { type: "json" };
import type { Recorder, VerdictReport } from "../../engine/index.ts";
import type { Ledger, Redactor } from "../../ledger/index.ts";
import type { Records, RunReportOptions } from "./api.ts";
import { readAllEvents } from "./recorded/read-all-events.ts";
import { readEndingError } from "./recorded/read-ending-error.ts";
import { requireRun } from "./require-run.ts";
import { workspaceChecksPath } from "./workspace-checks-path.ts";

export interface RecordsPorts {
  ledger: Ledger;
  redactor: Redactor;
  home: string;
}

export function createRecords(ports: RecordsPorts): Records {
  const { ledger, redactor, home } = ports;
  return {
    async findings(id) {
      const run = await requireRun(ledger, id);
      const { readVerdictReport, readPermissions } = await loadRecords();
      const redact = (text: string) => redactor.text(text);
      const events = await readAllEvents(ledger, id);
      const report = await readVerdictReport(run, events, createReaders(ledger), redact);
      const { checks, strength, deliveries, follows } = report;
      const reason = run.status === "lost" ? describeLost(run) : report.reason;
      const followedBy = await ledger.listFollowers(id);
      const permissions = readPermissions(events);
      const error = readEndingError(events);
      return { reason, error, checks, strength, deliveries, permissions, follows, followedBy };
    },
    async report(id, options = {}) {
      const { format = "html" } = options;
      checkFormat(format);
      const run = await requireRun(ledger, id);
      const { readVerdictReport, renderJunit, renderReport, renderSarif } = await loadRecords();
      const events = await readAllEvents(ledger, id);
      const readers = createReaders(ledger);
      const redact = (text: string) => redactor.text(text);
      if (format === "html") return renderReport(run, events, readers, { redact });
      const report = await readVerdictReport(run, events, readers, redact);
      return format === "junit"
        ? renderJunit(report)
        : renderSarif(report, { version: manifest.version, ...placesFor(report, options) });
    },
    async plan(id) {
      const { kind } = await requireRun(ledger, id);
      const { readPlanView } = await import("./recorded/read-plan-view.ts");
      const view = readPlanView(await readAllEvents(ledger, id));
      if (view) return view;
      const hint = kind === "goal" ? "Ask again once the run has made it." : "Only runs of goals have plans.";
      throw new DrydockError("input.invalid", `Run ${id} has no plan.`, hint, { runId: id, kind });
    },
    records: async (id) => (await openFiles(ports, id)).paths,
    async readRecord(id, path) {
      const content = (await openFiles(ports, id)).read(path);
      if (content) return content;
      const hint = "The list of the run's records has the paths that there are.";
      throw new DrydockError("input.invalid", `Run ${id} has no record ${path}.`, hint, { runId: id, path });
    },
    async writeRecords(id, directory = recordsDirectory(home, id)) {
      const run = await requireRun(ledger, id);
      const { writeRecords } = await loadRecords();
      return writeRecords(run, await readAllEvents(ledger, id), createCleanReaders(ports), directory);
    },
  };
}

async function openFiles(ports: RecordsPorts, id: string) {
  const run = await requireRun(ports.ledger, id);
  return (await loadRecords()).openRecords(run, await readAllEvents(ports.ledger, id), createCleanReaders(ports));
}

function describeLost({ id, kind }: Run): string {
  const what = "The process that ran it ended before the run did: it was killed, or the machine went down.";
  if (kind !== "wrap") return `${what} Nothing of the run can be delivered; run it again.`;
  return `${what} Its files are kept up to its last checkpoint: \`drydock wrap --from ${id}\` goes on from there.`;
}

function checkFormat(format: string): asserts format is ReportFormat {
  if (REPORT_FORMATS.some((known) => known === format)) return;
  const hint = `There are ${REPORT_FORMATS.join(", ")}.`;
  throw new DrydockError("input.invalid", `There is no report format ${format}.`, hint, { format });
}

/** What lies outside the root can't be named from there, and keeps its name within the workspace. */
function placesFor({ run, checksFile }: VerdictReport, { root = run.workspace ?? undefined }: RunReportOptions) {
  const below = (path: string | null) => {
    if (root === undefined || path === null) return undefined;
    const found = relative(resolve(root), path);
    return found.split(sep)[0] === ".." || isAbsolute(found) ? undefined : found;
  };
  const own = run.workspace === null ? null : workspaceChecksPath(run.workspace);
  return { prefix: below(run.workspace) ?? "", checksFile: below(checksFile), workspaceChecksFile: below(own) };
}

/** Keeps the readable directory of a run up to date while it is under way; `past` is what is on record already. */
export async function openRecorder(
  ports: RecordsPorts,
  runId: string,
  past: readonly RunEvent[],
  onWarning?: (message: string) => void,
): Promise<Recorder> {
  const { createRecorder } = await loadRecords();
  const directory = recordsDirectory(ports.home, runId);
  return createRecorder({ runId, directory, readers: createCleanReaders(ports), past, onWarning });
}

export function recordsDirectory(home: string, runId: string): string {
  return join(home, "runs", runId);
}

// Most commands tell nothing about a run's inside, and do not wait for the code that can.
async function loadRecords() {
  return (await import("../../engine/index.ts")).loadRecords();
}

function createReaders(ledger: Ledger) {
  return {
    blob: (sha256: string) => ledger.blobs.read(sha256),
    artifact: (id: string) => ledger.artifacts.read(id),
  };
}

/** Answers and diffs are kept exactly as they are, for going on from them; what people read is without secrets. */
function createCleanReaders({ ledger, redactor }: RecordsPorts) {
  const readers = createReaders(ledger);
  return {
    ...readers,
    async blob(sha256: string) {
      const bytes = await readers.blob(sha256);
      return isUtf8(bytes) ? Buffer.from(redactor.text(bytes.toString())) : bytes;
    },
  };
}
