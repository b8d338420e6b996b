import { DrydockError, type Layer, type ToolCall } from "@drydock/protocol";
import * as z from "zod";
import { cutStart, cutText } from "../../base/text/index.ts";
import type { ToolSpec } from "../../models/index.ts";
import type { TreeRules, WorkTree } from "../../sandbox/index.ts";
import type { TreeRunner } from "../ports.ts";
import { nameFile } from "../prompts/name-file.ts";
import { readText } from "../read-text.ts";
import { requireFinding } from "../require-finding.ts";
import { keepChanges } from "./keep-changes.ts";

export interface ToolPlace {
  tree: WorkTree;
  rules: TreeRules;
  /** The workspace with what a command left on it. */
  reopen(layer: Layer): WorkTree;
  runner: TreeRunner;
  network: readonly string[];
  /** Null where the policy allows the command line. */
  commandProblem: (commandLine: string) => string | null;
  maxSeconds: number;
  signal?: AbortSignal;
}

/** What a tool did: the words for the model, and the tree after it. */
export interface ToolOutcome {
  text: string;
  failed: boolean;
  tree: WorkTree;
}

interface Tool<T> {
  description: string;
  arguments: z.ZodType<T>;
  act(place: ToolPlace, args: T): Promise<{ text: string; failed?: boolean; tree?: WorkTree }>;
}

const MAX_RESULT_CHARS = 16_000;
const MAX_LINES = 400;
const MAX_MATCHES = 100;
/** An edit may multiply what a file holds. */
const MAX_EDITED_CHARS = 16 * 1024 * 1024;

function tool<T>(definition: Tool<T>): Tool<T> {
  return definition;
}

const TOOLS = {
  read: tool({
    description: "Reads a text file, with line numbers. `from` is the first line, `lines` how many.",
    arguments: z.object({
      path: z.string(),
      from: z.number().int().min(1).optional(),
      lines: z.number().int().min(1).optional(),
    }),
    async act({ tree }, { path, from = 1, lines = MAX_LINES }) {
      const text = await readText(tree, path);
      if (text === null) return missing(tree, path);
      const all = text.split("\n");
      const shown = all.slice(from - 1, from - 1 + lines).map((line, index) => `${from + index}\t${line}`);
      const more = all.length - (from - 1 + shown.length);
      return { text: `${shown.join("\n")}${more > 0 ? `\n… ${more} more lines` : ""}` };
    },
  }),
  list: tool({
    description: "Lists the files below a directory (all of them without `path`).",
    arguments: z.object({ path: z.string().optional() }),
    async act({ tree }, { path = "" }) {
      const prefix = path === "." ? "" : path.replace(/\/+$/, "");
      const files = tree.paths(prefix).filter((found) => tree.lookup(found)?.type !== "directory");
      if (files.length === 0 && prefix !== "" && !tree.lookup(prefix)) return missing(tree, prefix);
      const shown = files.slice(0, 1000).map(nameFile);
      return {
        text: `${shown.join("\n")}${files.length > shown.length ? `\n… ${files.length - shown.length} more` : ""}`,
      };
    },
  }),
  search: tool({
    description: "Finds a text (no pattern) in all files, or in those below `path`; gives file:line: text.",
    arguments: z.object({ text: z.string().min(1), path: z.string().optional() }),
    async act({ tree }, { text: needle, path = "" }) {
      const found: string[] = [];
      for (const file of tree.paths(path === "." ? "" : path)) {
        if (tree.lookup(file)?.type !== "file") continue;
        const text = await readText(tree, file);
        if (!text?.includes(needle)) continue;
        text.split("\n").forEach((line, index) => {
          if (line.includes(needle)) found.push(`${nameFile(file)}:${index + 1}: ${line.slice(0, 200)}`);
        });
        if (found.length >= MAX_MATCHES) break;
      }
      return { text: found.length === 0 ? "Nothing was found." : found.slice(0, MAX_MATCHES).join("\n") };
    },
  }),
  edit: tool({
    description: "Replaces `old` by `new` in a file. `old` must occur exactly once, unless `all` is true.",
    arguments: z.object({ path: z.string(), old: z.string().min(1), new: z.string(), all: z.boolean().optional() }),
    async act({ tree }, { path, old, new: fresh, all }) {
      const text = await readText(tree, path);
      if (text === null) return missing(tree, path);
      const count = text.split(old).length - 1;
      if (count === 0) return { text: `The text to replace is not in ${path}. Read it again.`, failed: true };
      if (count > 1 && !all) {
        return { text: `It occurs ${count} times in ${path}. Give more of it, or set all: true.`, failed: true };
      }
      const length = text.length + count * (fresh.length - old.length);
      if (length > MAX_EDITED_CHARS) {
        return { text: `${path} would have ${length} characters, which is more than an edit may make.`, failed: true };
      }
      const content = Buffer.from(text.replaceAll(old, () => fresh));
      return { text: `${path}: ${count} replaced.`, tree: await tree.apply([{ path, content }]) };
    },
  }),
  write: tool({
    description: "Writes a whole file, new or in the place of the old one.",
    arguments: z.object({ path: z.string(), content: z.string() }),
    async act({ tree }, { path, content }) {
      return { text: `${path} is written.`, tree: await tree.apply([{ path, content: Buffer.from(content) }]) };
    },
  }),
  delete: tool({
    description: "Deletes a file or directory.",
    arguments: z.object({ path: z.string() }),
    async act({ tree }, { path }) {
      return { text: `${path} is deleted.`, tree: await tree.apply([{ path, delete: true }]) };
    },
  }),
  run: tool({
    description: "Runs a command line in a sandbox on the files as they are now; what it writes is kept.",
    arguments: z.object({ cmd: z.string().min(1), timeout: z.number().positive().optional() }),
    async act(place, { cmd, timeout = place.maxSeconds }) {
      const problem = place.commandProblem(cmd);
      if (problem !== null) return { text: problem, failed: true };
      const result = await place.runner.run({
        layer: place.tree.layer.entries.length === 0 ? null : place.tree.layer,
        language: "bash",
        code: cmd,
        timeoutSeconds: Math.min(timeout, place.maxSeconds),
        network: [...place.network],
        signal: place.signal,
      });
      requireFinding(result);
      const output = [result.stdout, result.stderr].filter((text) => text !== "").join("\n");
      const ending = result.ok ? "exit code 0" : `${result.error?.message ?? "it failed"}`;
      // What was refused before it began has left nothing.
      const after = result.layer.baseHash === "" ? place.tree : place.reopen(result.layer);
      const { tree, dropped } = await keepChanges(place.tree, after, place.rules);
      const note = dropped.length === 0 ? "" : `\n[not kept, outside the scope: ${dropped.slice(0, 10).join(", ")}]`;
      return { text: `${tail(output)}\n[${ending}]${note}`, failed: !result.ok, tree };
    },
  }),
};

export const TOOL_SPECS: readonly ToolSpec[] = Object.entries(TOOLS).map(
  ([name, { description, arguments: schema }]) => ({
    name,
    description,
    parameters: z.toJSONSchema(schema) as Record<string, unknown>,
  }),
);

/** Executes one tool call. Errors of the call are returned to the model; internal errors are thrown. */
export async function callTool(place: ToolPlace, call: ToolCall): Promise<ToolOutcome> {
  const known = Object.hasOwn(TOOLS, call.name) ? (TOOLS[call.name as keyof typeof TOOLS] as Tool<unknown>) : null;
  if (!known) {
    return failed(place, `There is no tool ${call.name}. There are: ${Object.keys(TOOLS).join(", ")}.`);
  }
  const parsed = known.arguments.safeParse(call.arguments);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
    return failed(place, `The arguments of ${call.name} do not fit: ${problems.join("; ")}.`);
  }
  try {
    const { text, failed: isFailure = false, tree = place.tree } = await known.act(place, parsed.data);
    return { text: cut(text), failed: isFailure, tree };
  } catch (error) {
    if (error instanceof DrydockError && (error.code === "policy.path_denied" || error.code === "input.invalid")) {
      return failed(place, `${error.message} ${error.hint}`);
    }
    throw error;
  }
}

function failed(place: ToolPlace, text: string): ToolOutcome {
  return { text: cut(text), failed: true, tree: place.tree };
}

function missing(tree: WorkTree, path: string): { text: string; failed: true } {
  const found = tree.lookup(path);
  return {
    text: found
      ? `${path} can't be read as text: it is a ${found.type}, and not text or too large.`
      : `There is no ${path}.`,
    failed: true,
  };
}

function cut(text: string): string {
  return cutText(text, MAX_RESULT_CHARS, "\n… cut");
}

function tail(text: string): string {
  return cutStart(text, MAX_RESULT_CHARS - 500, "… cut\n");
}
