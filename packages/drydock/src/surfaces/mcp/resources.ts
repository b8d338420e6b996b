import { DrydockError, RECEIPT_MEDIA } from "@drydock/protocol";
import {
  type McpServer,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { requireRun } from "./allowed-workspace.ts";
import type { McpContext } from "./mcp-context.ts";
import {
  ARTIFACT_RANGE_TEMPLATE,
  ARTIFACT_TEMPLATE,
  artifactUri,
  DIFF_TEMPLATE,
  EVENTS_TEMPLATE,
  RECEIPT_TEMPLATE,
  RECORD_TEMPLATE,
  RECORDS_TEMPLATE,
  RUN_TEMPLATE,
} from "./resource-uris.ts";

const MAX_READ_BYTES = 16 * 1024 * 1024;
const MAX_LISTED_RUNS = 100;
const MAX_COMPLETIONS = 100;

type Variables = Record<string, string | string[]>;

/** Runs and the files they made. They never change, so nothing is to be subscribed to. */
export function registerResources(server: McpServer, context: McpContext): void {
  const { dock } = context;
  const complete = {
    runId: (value: string) => [...context.ownRuns].filter((id) => id.startsWith(value)).slice(-MAX_COMPLETIONS),
  };
  const template = (text: string, list?: () => Promise<{ resources: Resource[] }>) =>
    new ResourceTemplate(text, { list, complete });

  // First, as the other one's pattern would take the range for a part of the name.
  server.registerResource(
    "artifact-range",
    template(ARTIFACT_RANGE_TEMPLATE),
    { title: "Part of an artifact", description: "Bytes `start` up to and without `end` of a file that a run made." },
    (uri, variables) => read(uri, () => readArtifact(context, uri, variables)),
  );
  server.registerResource(
    "artifact",
    template(ARTIFACT_TEMPLATE, async () => ({ resources: await listArtifacts(context) })),
    { title: "Artifact", description: "A file that a run made. Listed are those of this server's latest runs." },
    (uri, variables) => read(uri, () => readArtifact(context, uri, variables)),
  );
  const asText = (name: string, path: string, title: string, mimeType: string, tell: (id: string) => Promise<string>) =>
    server.registerResource(name, template(path), { title, mimeType }, (uri, variables) =>
      read(uri, async () => {
        const { id } = await requireRun(context, String(variables.runId));
        return { contents: [{ uri: uri.href, mimeType, text: await tell(id) }] };
      }),
    );
  const toJson = (value: unknown) => JSON.stringify(value, null, 2);
  asText("run", RUN_TEMPLATE, "A run", "application/json", async (id) => toJson(await dock.runs.get(id)));
  asText("run-events", EVENTS_TEMPLATE, "What happened in a run, as recorded", "application/json", async (id) =>
    toJson(await dock.runs.events(id)),
  );
  asText("run-records", RECORDS_TEMPLATE, "Paths of the run's readable records", "application/json", async (id) =>
    toJson(await dock.runs.records(id)),
  );
  server.registerResource(
    "run-record",
    template(RECORD_TEMPLATE),
    { title: "A record of a run: its plan, a prompt, a verification, a request for rework, its snapshot" },
    (uri, variables) =>
      read(uri, async () => {
        const { id } = await requireRun(context, String(variables.runId));
        const bytes = Buffer.from(await dock.runs.readRecord(id, String(variables.path)));
        return { contents: [{ uri: uri.href, text: bytes.toString() }] };
      }),
  );
  asText("run-diff", DIFF_TEMPLATE, "What a run changed", "text/x-diff", (id) => dock.runs.diff(id));
  asText("run-receipt", RECEIPT_TEMPLATE, "What a run's checks proved, signed", RECEIPT_MEDIA, async (id) => {
    return (await dock.runs.receipt(id)).text;
  });
}

/** What there is not is the protocol's own error; all else says our code and hint in its text. */
async function read(uri: URL, act: () => Promise<ReadResourceResult>): Promise<ReadResourceResult> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    if (error.code === "run.not_found") throw new ResourceNotFoundError(uri.href);
    throw new Error(`${error.code}: ${error.message} ${error.hint}`);
  }
}

async function listArtifacts(context: McpContext): Promise<Resource[]> {
  const runs = [...context.ownRuns].slice(-MAX_LISTED_RUNS).reverse();
  const lists = await Promise.all(
    runs.map(async (runId) =>
      (await context.dock.runs.artifacts(runId)).map(({ id, name, mime, size }) => ({
        uri: artifactUri(runId, id),
        name,
        description: `Made by run ${runId}`,
        mimeType: mime,
        size,
      })),
    ),
  );
  return lists.flat();
}

async function readArtifact(context: McpContext, uri: URL, variables: Variables): Promise<ReadResourceResult> {
  const { id: runId } = await requireRun(context, String(variables.runId));
  const id = String(variables.artifactId);
  const artifact = (await context.dock.runs.artifacts(runId)).find((one) => one.id === id);
  if (!artifact) throw new ResourceNotFoundError(uri.href);
  const { start, end } = readRange(variables, artifact.size);
  if (end - start > MAX_READ_BYTES) {
    const message = `${artifact.name} has ${artifact.size} bytes; at most ${MAX_READ_BYTES} are read at once.`;
    throw new DrydockError(
      "limit.output",
      message,
      `Read parts of it: ${uri.origin}${uri.pathname}?start=0&end=1048576.`,
    );
  }
  const range = start === 0 && end === artifact.size ? undefined : { start, end };
  const bytes = end <= start ? Buffer.alloc(0) : Buffer.from(await context.dock.runs.readArtifact(id, range));
  const text = isText(artifact.mime) ? decodeWhole(bytes) : undefined;
  const content = text === undefined ? { blob: bytes.toString("base64") } : { text };
  return { contents: [{ uri: uri.href, mimeType: artifact.mime, ...content }] };
}

function readRange(variables: Variables, size: number): { start: number; end: number } {
  const [start, end] = [variables.start ?? "0", variables.end ?? String(size)].map(String);
  if (!/^\d{1,15}$/.test(start ?? "") || !/^\d{1,15}$/.test(end ?? "")) {
    throw new DrydockError(
      "input.invalid",
      "`start` and `end` must be whole numbers of bytes.",
      "Example: ?start=0&end=100.",
    );
  }
  return { start: Math.min(Number(start), size), end: Math.min(Number(end), size) };
}

function isText(mime: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript)$/.test(mime);
}

/** Undefined where the bytes are no whole UTF-8: a part of a text may be cut within a letter. */
function decodeWhole(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
