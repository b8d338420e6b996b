import { type CodeBlock, DrydockError, type ExecResult, type RunEvent } from "@drydock/protocol";
import { execute } from "../execute/index.ts";
import { requireRun } from "../runs/require-run.ts";
import { execInSession } from "../sessions/index.ts";
import type { RunBlockOptions } from "./api.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";

/** The versions of a run's code, as its events tell: what was executed, and what a person wrote afterwards. */
export async function listBlocks(ports: PythonTaskPorts, runId: string): Promise<CodeBlock[]> {
  await requireRun(ports.ledger, runId);
  const events = await ports.readEvents(runId);
  const written = events.filter(({ type }) => type === "code.executed" || type === "code.edited");
  return Promise.all(written.map((event) => readBlock(ports, runId, event)));
}

async function readBlock({ ledger }: PythonTaskPorts, runId: string, { type, data }: RunEvent): Promise<CodeBlock> {
  const isExecuted = type === "code.executed";
  return {
    runId,
    name: String(data.block),
    version: Number(data.version),
    language: data.language as CodeBlock["language"],
    code: (await ledger.blobs.readWhole(String(data.code))).toString(),
    author: isExecuted ? "model" : "person",
    ok: isExecuted ? data.ok === true : null,
    executionRunId: typeof data.executionRunId === "string" ? data.executionRunId : null,
  };
}

export async function editBlock(ports: PythonTaskPorts, runId: string, name: string, code: string): Promise<CodeBlock> {
  const last = await findBlock(ports, runId, name, undefined);
  const { ledger } = ports;
  const paper = (await ledger.blobs.put(Buffer.from(code), { runId })).sha256;
  const version = last.version + 1;
  const data = { key: `${name}/${version}`, block: name, version, language: last.language, code: paper };
  await ledger.append(runId, [{ type: "code.edited", data }]);
  return { ...last, version, code, author: "person", ok: null, executionRunId: null };
}

export async function runBlock(
  ports: PythonTaskPorts,
  runId: string,
  name: string,
  { version, session, workspace, ...options }: RunBlockOptions,
): Promise<ExecResult> {
  const { code, language } = await findBlock(ports, runId, name, version);
  const request = { ...options, code, language, parentRunId: runId };
  if (session !== undefined) return execInSession(ports.ledger, ports.sessions, session, { ...request, session });
  return execute(ports, { ...request, ...(workspace !== undefined && { workspace }) });
}

async function findBlock(ports: PythonTaskPorts, runId: string, name: string, version: number | undefined) {
  const blocks = await listBlocks(ports, runId);
  const named = blocks.filter((block) => block.name === name);
  const found = named.findLast((block) => version === undefined || block.version === version);
  if (found) return found;
  const known = [...new Set(blocks.map((block) => block.name))];
  const hint =
    named.length > 0
      ? `It has the versions ${named.map((block) => block.version).join(", ")}.`
      : known.length > 0
        ? `Its blocks are: ${known.join(", ")}.`
        : "It executed no code.";
  const wanted = version === undefined || named.length === 0 ? `code block ${name}` : `version ${version} of ${name}`;
  throw new DrydockError("input.invalid", `Run ${runId} has no ${wanted}.`, hint, { runId, name });
}
