import { DrydockError, explainIssues, internalError } from "@drydock/protocol";
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isTooDeep } from "../../base/json-schema/index.ts";
import { renderAnswer, type ToolAnswer } from "./answer.ts";
import { askAboutCall, canAsk, readDecision } from "./ask-about-call.ts";
import { TOO_DEEP } from "./json-input.ts";
import type { McpContext } from "./mcp-context.ts";
import { createProgress, type ProgressReporter } from "./report-progress.ts";
import { trimAnnotations, trimInputSchema, trimOutputSchema } from "./trim-schema.ts";

export interface ToolCallContext {
  /** Aborted when the client cancels, or is gone. */
  signal: AbortSignal;
  progress: ProgressReporter;
  /** What a person said to the question that this call was answered with before; null for a first call. */
  decision: boolean | null;
}

/** A tool that needs a person's word. Where the client can't ask anybody, its answer is the refusal. */
export interface ElicitQuestion {
  question: string;
  refusal: DrydockError;
}

interface ToolDefinition<I extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: I;
  /** Names that arguments had before, and those that they have now: clients may still use the old ones. */
  oldNames?: Readonly<Record<string, string>>;
  /** What is in a result beside `ok` and `error`. */
  output: z.ZodRawShape;
  /** Offered only where the owner names it: its description would take up the room of models that never use it. */
  byChoice?: true;
  run(input: z.output<I>, call: ToolCallContext): Promise<ToolAnswer | ElicitQuestion>;
}

export interface Tool {
  name: string;
  byChoice: boolean;
  register(server: McpServer, context: McpContext): void;
}

/** The list of all codes in each of the tools would take up the model's room. */
const shownError = z
  .looseObject({ code: z.string(), message: z.string(), hint: z.string() })
  .nullable()
  .describe("Null if it succeeded.");

/**
 * A tool whose failures are results that a model can read: `ok: false` and `error` with code, message and hint, for
 * arguments that don't fit as much as for whatever the policy or the code did.
 */
export function defineTool<I extends z.ZodObject>(tool: ToolDefinition<I>): Tool {
  const { name, title, description, annotations, input, run } = tool;
  const outputSchema = z.looseObject({
    ok: z.boolean().describe("Whether it succeeded."),
    error: shownError,
    // A call that failed early has none of these, and clients hold failures to the same schema.
    ...Object.fromEntries(Object.entries(tool.output).map(([key, value]) => [key, z.optional(value)])),
  });
  const config = {
    title,
    description,
    annotations: trimAnnotations(annotations),
    inputSchema: describeOnly(input, trimInputSchema),
    outputSchema: describeOnly(outputSchema, trimOutputSchema),
  };
  return {
    name,
    byChoice: tool.byChoice ?? false,
    register(server, context) {
      server.registerTool(name, config, async (rawArgs, call): Promise<CallToolResult | InputRequiredResult> => {
        const args = rename(rawArgs, tool.oldNames);
        const answer = await answerCall(name, input, run, args, call, context);
        if (!("question" in answer)) return renderAnswer(context.dock, answer);
        if (canAsk(server)) return askAboutCall(context, name, args, answer.question);
        return renderAnswer(context.dock, { error: answer.refusal.toInfo(), value: {}, text: "" });
      });
    },
  };
}

function rename(args: unknown, oldNames: Readonly<Record<string, string>> = {}): unknown {
  if (typeof args !== "object" || args === null) return args;
  const entries = Object.entries(args).map(([name, value]) => {
    const fresh = Object.hasOwn(oldNames, name) ? oldNames[name] : undefined;
    // Both at once can't be meant: the old one is left to be refused.
    return fresh === undefined || Object.hasOwn(args, fresh) ? [name, value] : [fresh, value];
  });
  return Object.fromEntries(entries);
}

async function answerCall<I extends z.ZodObject>(
  name: string,
  schema: I,
  run: (input: z.output<I>, call: ToolCallContext) => Promise<ToolAnswer | ElicitQuestion>,
  args: unknown,
  call: ServerContext,
  context: McpContext,
): Promise<ToolAnswer | ElicitQuestion> {
  const progress = createProgress(call);
  try {
    if (isTooDeep(args)) throw tooDeep(name);
    const read = schema.safeParse(args);
    if (!read.success) throw invalidArguments(name, read.error);
    const decision = readDecision(context, name, args, call);
    return await run(read.data, { signal: call.mcpReq.signal, progress, decision });
  } catch (error) {
    const known = error instanceof DrydockError ? error : internalError(error);
    return { error: known.toInfo(), value: {}, text: "" };
  } finally {
    progress.stop();
  }
}

function tooDeep(name: string): DrydockError {
  return new DrydockError("input.invalid", `A value for ${name} ${TOO_DEEP}.`, "Give a flatter value.");
}

function invalidArguments(name: string, error: z.ZodError): DrydockError {
  const problems = explainIssues(error.issues.slice(0, 10), "arguments");
  const hint = "See the tool's input schema.";
  return new DrydockError("input.invalid", `${name} can't use these arguments: ${problems.join("; ")}.`, hint, {
    problems,
  });
}

type Describe = z.ZodObject["~standard"]["jsonSchema"]["input"];

/**
 * The schema as it is shown, written once. Arguments are checked by us, so that what is wrong with them has our code and
 * hint; results are ours, and clients hold them against the schema.
 */
function describeOnly(schema: z.ZodObject, show: typeof trimInputSchema) {
  const { vendor, jsonSchema } = schema["~standard"];
  const remember = (describe: Describe): Describe => {
    const known = new Map<string, ReturnType<Describe>>();
    return (options) => {
      const key = JSON.stringify(options);
      const made = known.get(key) ?? show(describe(options));
      known.set(key, made);
      return made;
    };
  };
  const described = { input: remember(jsonSchema.input), output: remember(jsonSchema.output) };
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1 as const, vendor, jsonSchema: described, validate } };
}
