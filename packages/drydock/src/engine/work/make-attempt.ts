import {
  DrydockError,
  type Layer,
  type ModelMessage,
  type PlanTask,
  type ReworkRequest,
  type ToolCall,
  Writes,
} from "@drydock/protocol";
import * as z from "zod";
import { cutText } from "../../base/text/index.ts";
import { askModel, runAgentLoop } from "../../models/index.ts";
import type { TreeRules, WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, isMovedBase, openTree } from "../engine-context.ts";
import { buildContext } from "./build-context.ts";
import { callTool, TOOL_SPECS } from "./tools.ts";

export interface AttemptRequest {
  /** `task/a2`: the records of everything below begin with it. */
  key: string;
  goal: string;
  task: PlanTask;
  attempt: number;
  rules: TreeRules;
  base: WorkTree;
  rework: ReworkRequest | null;
}

export type Attempt =
  | {
      kind: "made";
      tree: WorkTree;
      summary: string;
      /** Where repair made it: which of the changes that it found, from 1; 0: one that does not pass all tests. */
      candidate?: number;
    }
  /** There is nothing to judge; the reason goes to the next attempt. */
  | { kind: "failed"; code: string; reason: string };

const MAX_EVIDENCE_CHARS = 4000;
/** Calls of one answer that are carried out. */
const MAX_CALLS = 100;
/** How often a call is made again because the directory below has changed. */
const MAX_RENEWALS = 3;

/** One try at a task, on a tree of its own. It ends with an answer that calls no tool, or that holds its writes. */
export async function makeAttempt(context: EngineContext, request: AttemptRequest): Promise<Attempt> {
  try {
    return await converse(context, request);
  } catch (error) {
    if (error instanceof DrydockError && error.code === "model.failed") {
      return { kind: "failed", code: "model_failed", reason: error.message };
    }
    if (error instanceof DrydockError && (error.code === "policy.path_denied" || error.code === "input.invalid")) {
      return {
        kind: "failed",
        code: error.code === "policy.path_denied" ? "path_denied" : "invalid",
        reason: `${error.message} ${error.hint}`,
      };
    }
    throw error;
  }
}

async function converse(context: EngineContext, request: AttemptRequest): Promise<Attempt> {
  const { settings, prompts, policy } = context;
  const { key, task } = request;
  const { allow: commands, deny: denied } = policy.commands;
  const lists = { commands, denied, network: policy.network.allow };
  const system = await prompts.render("work-system", { scope: task.scope, way: settings.way, ...lists });
  const messages: ModelMessage[] = [
    { role: "user", text: await prompts.render("work", await workValues(context, request)) },
  ];
  let tree = request.base;
  const usesTools = settings.way === "tools";
  const answer = await runAgentLoop({
    messages,
    maxTurns: settings.maxTurns,
    maxCalls: MAX_CALLS,
    ask: (turn) =>
      askModel(context, {
        key: `${key}/answer/${turn}`,
        // One that has to fit to others' results is still the first.
        step: (request.rework?.attempt ?? 0) === 0 ? "work" : "rework",
        task: task.id,
        system,
        messages,
        ...(usesTools ? { tools: TOOL_SPECS } : { output: { name: "writes", schema: writesJsonSchema() } }),
        signal: context.signal,
        onText: (text) => context.onProgress?.({ kind: "text", task: task.id, text }),
      }),
    isFinal: ({ writes }) => writes !== undefined || !usesTools,
    call: async (call, turn, index) => {
      const done = await useTool(context, request, `${key}/tool/${turn}.${index}`, tree, call);
      tree = done.tree;
      return done;
    },
  });
  if (!answer) return { kind: "made", tree, summary: `It was stopped after ${settings.maxTurns} answers.` };
  if (answer.writes) return { kind: "made", tree: await applyWrites(tree, answer.writes), summary: answer.text };
  return usesTools ? { kind: "made", tree, summary: answer.text } : applyJson(tree, answer.json ?? answer.text);
}

async function useTool(
  context: EngineContext,
  request: AttemptRequest,
  key: string,
  tree: WorkTree,
  call: ToolCall,
): Promise<{ text: string; failed: boolean; tree: WorkTree }> {
  const { journal, documents } = context;
  const recorded = journal.find("tool.finished", key)?.data;
  if (recorded) {
    const layer = recorded.layer === null ? null : await context.layers.read(String(recorded.layer));
    return {
      text: await documents.read(String(recorded.result)),
      failed: recorded.failed === true,
      tree: layer ? await openTree(context, layer, request.rules) : tree,
    };
  }
  context.checkpoint();
  const since = context.now();
  const outcome = await callOnTree(context, request, tree, call);
  // What a command says that was ended from outside is not what it would have said.
  context.signal.throwIfAborted();
  const changed = outcome.tree.treeHash !== tree.treeHash;
  const data = {
    key,
    task: request.task.id,
    attempt: request.attempt,
    name: call.name,
    arguments: shorten(call.arguments),
    failed: outcome.failed,
    result: await documents.keep(outcome.text),
    summary: outcome.text.slice(0, 200),
    layer: changed ? await context.layers.keep(outcome.tree.layer) : null,
    durationMs: Math.round(context.now() - since),
  };
  await journal.append([{ type: "tool.finished", key, data }]);
  return outcome;
}

/** Where somebody changes the directory below meanwhile, the call is made again on the same changes over what it is now. */
async function callOnTree(context: EngineContext, request: AttemptRequest, first: WorkTree, call: ToolCall) {
  const { workbench, policy } = context;
  let tree = first;
  for (let renewals = 0; ; renewals++) {
    const place = {
      tree,
      rules: request.rules,
      reopen: (layer: Layer) => workbench.tree(layer),
      runner: context.runner,
      network: policy.network.allow,
      commandProblem: context.commandProblem,
      maxSeconds: policy.limits.wallSeconds,
      signal: context.signal,
    };
    try {
      return await callTool(place, call);
    } catch (error) {
      if (!isMovedBase(error) || renewals === MAX_RENEWALS) throw error;
    }
    await workbench.refresh();
    tree = await openTree(context, tree.layer, request.rules);
  }
}

async function applyJson(tree: WorkTree, json: unknown): Promise<Attempt> {
  const parsed = Writes.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join(".") || "answer"}: ${issue.message}`);
    return {
      kind: "failed",
      code: "answer_invalid",
      reason: `The answer does not have the requested shape: ${problems.join("; ")}.`,
    };
  }
  return { kind: "made", tree: await applyWrites(tree, parsed.data.writes), summary: parsed.data.summary ?? "" };
}

function applyWrites(tree: WorkTree, writes: Writes["writes"]): Promise<WorkTree> {
  return tree.apply(
    writes.map(({ path, content, delete: isDelete }) =>
      isDelete ? { path, delete: true as const } : { path, content: Buffer.from(content ?? "") },
    ),
  );
}

export function writesJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(Writes, { target: "draft-2020-12" });
}

async function workValues(context: EngineContext, { goal, task, attempt, rules, base, rework }: AttemptRequest) {
  return {
    goal,
    task: { id: task.id, title: task.title, instructions: task.instructions },
    attempt,
    checks: task.checks.map((check) => JSON.stringify(check)),
    required: context.settings.required.map(({ check }) => JSON.stringify(check)),
    followed: context.settings.followed?.account ?? null,
    profile: context.profile,
    rework: rework && {
      failed: rework.failed.map((item) => ({
        ...item,
        evidence:
          Object.keys(item.evidence).length === 0 ? "" : JSON.stringify(item.evidence).slice(0, MAX_EVIDENCE_CHARS),
      })),
      tried: rework.tried,
    },
    files: await buildContext(base, task, rules, context.settings.contextTokens),
  };
}

function shorten(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === "string" ? cutText(value, 200) : value]),
  );
}
