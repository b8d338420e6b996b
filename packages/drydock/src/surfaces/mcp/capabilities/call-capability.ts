import {
  type CapabilityOutcome,
  type CapabilityTool,
  type CommandRoute,
  DrydockError,
  type ErrorInfo,
  internalError,
} from "@drydock/protocol";
import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { CapabilityContext } from "../../../app/index.ts";
import { allowWorkspace } from "../allowed-workspace.ts";
import { renderAnswer, shorten, type ToolAnswer } from "../answer.ts";
import { canAsk } from "../ask-about-call.ts";
import { type McpContext, rememberRun } from "../mcp-context.ts";
import { createProgress } from "../report-progress.ts";
import { askPerson, readAnswer } from "./ask-person.ts";
import { SESSION, WORKSPACE } from "./describe-schemas.ts";

const MAX_OUTPUT_CHARS = 50_000;
const MAX_JSON_CHARS = 100_000;

/** One action, called as a tool. If its risk requires it, a person is asked first, if the client supports that. */
export async function callCapability(
  context: McpContext,
  server: McpServer,
  tool: CapabilityTool,
  args: unknown,
  call: ServerContext,
  caller: { session: string; isHeld: boolean },
): Promise<CallToolResult | InputRequiredResult> {
  const { dock, options } = context;
  const { signal } = call.mcpReq;
  const progress = createProgress(call);
  const watched: CapabilityContext = {
    ...{ signal, model: options.model, onOutput: progress.output },
    onQueued: (position) =>
      progress.report(position === 1 ? "It is the next in the queue." : `It has place ${position} in the queue.`),
  };
  try {
    const answered = await readAnswer(context, server, call, watched);
    if (answered) return await render(context, answered);
    const { [SESSION]: session = caller.session, [WORKSPACE]: workspace, ...values } = readArguments(args);
    const { command, action } = tool;
    const outcome = await dock.extensions.execute(
      { command, action, values: values as CommandRoute["values"] },
      {
        ...watched,
        session: ownSession(readText(SESSION, session) ?? caller.session),
        workspace: await allowWorkspace(options, readText(WORKSPACE, workspace)),
        approval: canAsk(server) ? "wait" : "deny",
      },
    );
    if (outcome.type === "capability_waiting") return askPerson(context, outcome, caller.isHeld ? signal : null);
    return await render(context, outcome);
  } catch (error) {
    return renderAnswer(dock, { error: infoOf(error), value: {}, text: "" });
  } finally {
    progress.stop();
  }
}

function render(context: McpContext, outcome: CapabilityOutcome): Promise<CallToolResult> {
  if (outcome.runId !== null) rememberRun(context, outcome.runId);
  return renderAnswer(context.dock, describeOutcome(outcome));
}

function describeOutcome(outcome: CapabilityOutcome): ToolAnswer {
  if (outcome.type === "capability_waiting") {
    const text = `It waits for somebody's approval (${outcome.approval.id}).`;
    return { error: null, value: { ...outcome }, text };
  }
  const { output, artifacts, notes, runId } = outcome;
  const { json, ...rest } = { json: undefined, ...outcome };
  const isLongJson = json !== undefined && JSON.stringify(json).length > MAX_JSON_CHARS;
  const shortened = [...(output.length > MAX_OUTPUT_CHARS ? ["output"] : []), ...(isLongJson ? ["json"] : [])];
  const value = {
    ...rest,
    ...(json === undefined || isLongJson ? {} : { json }),
    output: shorten(output, MAX_OUTPUT_CHARS),
    shortened,
  };
  return {
    error: outcome.type === "capability_error" ? outcome.error : null,
    value,
    text: [value.output.trimEnd(), ...notes.map((note) => `note: ${note}`)].filter((part) => part !== "").join("\n"),
    ...(runId === null ? {} : { files: { runId, artifacts } }),
  };
}

const OWN = "mcp-";

/** What people have fetched for themselves, in sessions of other names, is not a model's to use. */
function ownSession(name: string): string {
  return name.startsWith(OWN) ? name : `${OWN}${name}`;
}

function readArguments(args: unknown): Record<string, unknown> {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  if (args === undefined) return {};
  throw new DrydockError("input.invalid", "The arguments are not an object.", "Give the values by their names.");
}

function readText(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new DrydockError("input.invalid", `${name} is not a text.`, "See the tool's input schema.");
}

function infoOf(error: unknown): ErrorInfo {
  return (error instanceof DrydockError ? error : internalError(error)).toInfo();
}
