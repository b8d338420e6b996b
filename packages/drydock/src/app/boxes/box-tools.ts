import { randomUUID } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { loadShellCheck, permitsEveryCommand } from "../../policy/index.ts";
import { type FunctionTool, ToolAnswer } from "../../tasks/index.ts";
import { commandDeniedError } from "../execute/index.ts";
import { BoxRefusal } from "./box-link.ts";
import type { Box } from "./create-box.ts";

/** The tools that work in the box of a run. */
export const BOX_TOOLS = ["exec", "read", "write", "edit", "glob", "grep"] as const;

type Enter = (signal: AbortSignal) => Promise<Box>;

const MAX_TIMEOUT_SECONDS = 600;
/** How much longer than its own limit a call may take, before its box is taken for stuck. */
const GRACE_MS = 10_000;

const path = z.string().min(1).max(4096).describe("Path of the file, relative to the box's directory");
const code = z.string().min(1).max(1_000_000);
const Exec = z.strictObject({
  language: z
    .enum(["bash", "python"])
    .default("bash")
    .describe("bash: a new shell each time. python: one interpreter, whose variables stay"),
  code: code.describe("The commands, or the Python code"),
  timeout_seconds: z.number().int().min(1).max(MAX_TIMEOUT_SECONDS).default(120).describe("When it is ended"),
});
const Read = z.strictObject({
  path,
  offset: z.number().int().min(1).default(1).describe("The first line"),
  limit: z.number().int().min(1).max(5000).default(2000).describe("The most lines"),
});
const Write = z.strictObject({ path, content: z.string().max(8_000_000).describe("The whole text of the file") });
const Edit = z.strictObject({
  path,
  old_text: z.string().min(1).describe("Text of the file, exactly as it is there, once"),
  new_text: z.string().describe("What takes its place"),
  replace_all: z.boolean().default(false).describe("Replaces each place where old_text is"),
});
const where = z.string().min(1).max(4096).default(".").describe("Where to search");
const Glob = z.strictObject({
  pattern: z.string().min(1).max(1000).describe("Such as **/*.py. A * stays in one directory"),
  path: where,
});
const Grep = z.strictObject({
  pattern: z.string().min(1).max(1000).describe("A regular expression, as Python reads it"),
  path: where,
  glob: z.string().min(1).max(1000).optional().describe("Only files whose name fits, such as *.py"),
  ignore_case: z.boolean().default(false).describe("Whether upper and lower case are the same"),
});

/** Each call enters the box anew: whoever switches boxes off or changes their scope is heard at once. */
export function createBoxTools(enter: Enter, over: AbortSignal): FunctionTool[] {
  const define = <Input>(
    name: (typeof BOX_TOOLS)[number],
    description: string,
    input: z.ZodType<Input>,
    run: (box: Box, request: Input) => Promise<string | ToolAnswer>,
  ): FunctionTool => ({
    name,
    description,
    input,
    run: (request: Input) => answer(async () => run(await enter(over), input.parse(request))),
  });
  return [
    define("exec", EXEC, Exec, (box, request) => box.inTurn(() => runCode(box, request, over))),
    define("read", "Reads a text file of the box, with the numbers of its lines.", Read, async (box, request) => {
      const { lines, first, total, rest } = (await ask(box, "read", request, over)) as unknown as ReadAnswer;
      const text = lines.map((line, index) => `${first + index}\t${line}`).join("\n");
      return rest > 0 ? `${text}\n[${rest} more lines of ${total}; go on with offset ${first + lines.length}]` : text;
    }),
    define("write", "Writes a text file of the box, with its directories.", Write, (box, request) =>
      box.inTurn(async () => {
        const { path, bytes, created } = await ask(box, "write", request, over);
        return `${created ? "Created" : "Replaced"} ${path} (${bytes} bytes).`;
      }),
    ),
    define("edit", "Replaces a text in a file of the box. The text must be there exactly once.", Edit, (box, request) =>
      box.inTurn(async () => {
        const { path, replaced } = await ask(box, "edit", request, over);
        return `Changed ${path} in ${replaced === 1 ? "one place" : `${replaced} places`}.`;
      }),
    ),
    define("glob", "Finds files of the box by their names.", Glob, async (box, request) => {
      const { paths, more } = (await ask(box, "glob", request, over)) as { paths: string[]; more: boolean };
      return listOf(paths, more, "No file fits.");
    }),
    define("grep", "Searches text files of the box. Gives path, line number and line.", Grep, async (box, request) => {
      const { matches, more } = (await ask(box, "grep", request, over)) as { matches: string[]; more: boolean };
      return listOf(matches, more, "Nothing was found.");
    }),
  ];
}

const EXEC =
  "Runs bash commands or Python code in the box: a sandbox that lasts, whose files stay for the next call. Long output is cut in the middle.";

interface ReadAnswer {
  lines: string[];
  first: number;
  total: number;
  rest: number;
}

interface ExecAnswer {
  output: string;
  cut: boolean;
  bytes: number;
  status: number;
  late: boolean;
  lost: boolean;
}

async function runCode(box: Box, request: z.infer<typeof Exec>, over: AbortSignal): Promise<ToolAnswer> {
  const { language, code, timeout_seconds: timeout } = request;
  await checkCode(box, language, code);
  over.throwIfAborted();
  const token = randomUUID();
  const { call, stop } = box.opened;
  // Other runs share the box: only the code of this call is ended, and the next one waits for that.
  let stuck = setTimeout(stop, timeout * 1000 + GRACE_MS);
  const interrupt = () => {
    clearTimeout(stuck);
    stuck = setTimeout(stop, GRACE_MS);
    void call("interrupt", { token }).catch(() => {});
  };
  over.addEventListener("abort", interrupt, { once: true });
  try {
    const answer = (await call("exec", { language, code, timeout, token })) as unknown as ExecAnswer;
    over.throwIfAborted();
    const notes = [
      answer.cut && `[the output was ${answer.bytes} bytes; write it to a file to search it]`,
      answer.late && `[ended after ${timeout} s]`,
      answer.lost && "[the interpreter has ended: its variables are gone]",
      answer.status !== 0 && !answer.late && language === "bash" && `[exit status ${answer.status}]`,
    ];
    const text = [answer.output.trimEnd(), ...notes.filter(Boolean)].filter((part) => part !== "").join("\n");
    return new ToolAnswer(text === "" ? "[no output]" : text, {
      failed: answer.status !== 0 || answer.late,
      runId: box.opened.runId,
    });
  } finally {
    clearTimeout(stuck);
    over.removeEventListener("abort", interrupt);
  }
}

/** The owner's list of commands holds for each command in the code, as it does for `drydock exec`. */
async function checkCode({ opened }: Box, language: "bash" | "python", code: string): Promise<void> {
  const { effective } = opened.resolved;
  const { commands, python } = effective;
  if (language === "python" && (!python.enabled || python.guard === "strict")) {
    const why = python.enabled ? "with the guard only (python.guard: strict), which a box has not" : "not at all";
    const hint = "Use bash, or a tool that has the guard: session_exec.";
    throw new DrydockError("policy.command_denied", `The policy lets Python code run ${why}.`, hint);
  }
  if (permitsEveryCommand(commands)) return;
  if (language === "python") {
    const hint = "Use bash: each of its commands is checked.";
    throw new DrydockError("policy.command_denied", "The policy lists the commands that may run.", hint);
  }
  const { checkShell } = await loadShellCheck();
  const checked = checkShell(commands, code);
  if (!checked.ok) throw commandDeniedError({ ...checked, commands }, opened.resolved);
}

async function ask(box: Box, op: string, params: object, signal: AbortSignal): Promise<Record<string, unknown>> {
  box.touch();
  return box.opened.call(op, params as Record<string, unknown>, signal);
}

/** What the tool itself refuses is an answer that a model can act on. */
async function answer(work: () => Promise<string | ToolAnswer>): Promise<string | ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BoxRefusal)) throw error;
    return new ToolAnswer(error.message, { failed: true, runId: null });
  }
}

function listOf(lines: readonly string[], more: boolean, nothing: string): string {
  if (lines.length === 0) return nothing;
  return more ? `${lines.join("\n")}\n[there are more; search for less]` : lines.join("\n");
}
