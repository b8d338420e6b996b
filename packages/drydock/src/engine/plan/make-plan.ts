import { DrydockError, type EffectivePolicy, Plan, type PlanProblem, type RequiredCheck } from "@drydock/protocol";
import * as z from "zod";
import { type AskPorts, askModel } from "../../models/index.ts";
import type { WorkTree } from "../../sandbox/index.ts";
import type { Prompts } from "../prompts/load-prompts.ts";
import { listCheckPrompts } from "../verify/check-types/check-types.ts";
import { summarizeWorkspace } from "./summarize-workspace.ts";
import { validatePlan } from "./validate-plan.ts";

export interface PlanRequest {
  goal: string;
  tree: WorkTree;
  /** Prompt text about the run that this one follows; null: none. */
  followed: string | null;
  profile: string | null;
  policy: EffectivePolicy;
  /** What people require of the result, whatever the plan says. */
  required: readonly RequiredCheck[];
  /** How often a plan may be sent back. */
  tries: number;
  signal?: AbortSignal;
  onText?: (text: string) => void;
}

/** A goal becomes a plan that holds together; one that does not is sent back with the reasons, a bounded number of times. */
export async function makePlan(ports: AskPorts & { prompts: Prompts }, request: PlanRequest): Promise<Plan> {
  const { policy } = request;
  const system = await ports.prompts.render("plan-system", {
    checks: listCheckPrompts(),
    commands: policy.commands.allow,
    denied: policy.commands.deny,
    network: policy.network.allow,
  });
  const required = request.required.map(({ check }) => JSON.stringify(check));
  const summary = await summarizeWorkspace(request.tree);
  let problems: PlanProblem[] = [];
  for (let attempt = 1; attempt <= request.tries; attempt++) {
    const key = `plan/${attempt}`;
    const values = {
      goal: request.goal,
      summary,
      followed: request.followed,
      profile: request.profile,
      required,
      problems,
    };
    const answer = await askModel(ports, {
      key,
      step: "plan",
      system,
      messages: [{ role: "user", text: await ports.prompts.render("plan", values) }],
      output: { name: "plan", schema: planJsonSchema() },
      signal: request.signal,
      onText: request.onText,
    });
    const checked = await validatePlan(answer.json ?? readJson(answer.text), policy, "planner");
    if (checked.ok) return { ...checked.plan, goal: request.goal };
    problems = checked.problems;
    if (!ports.journal.find("plan.refused", key)) {
      await ports.journal.append([{ type: "plan.refused", key, data: { key, problems } }]);
    }
  }
  throw new DrydockError(
    "plan.invalid",
    `The model made no valid plan in ${request.tries} tries. Problems of the last one: ${describeProblems(problems)}`,
    "Describe the goal more precisely, write the plan yourself (--plan FILE), or use another model.",
    { problems },
  );
}

export function describeProblems(problems: readonly PlanProblem[]): string {
  const shown = problems.slice(0, 5).map(({ where, problem }) => `${where}: ${problem.replace(/\.$/, "")}`);
  return `${shown.join("; ")}${problems.length > shown.length ? `; and ${problems.length - shown.length} more` : ""}.`;
}

export function planJsonSchema(): Record<string, unknown> {
  // The system prompt explains the fields: descriptions for people would only take up tokens.
  return z.toJSONSchema(Plan, { io: "input", target: "draft-2020-12", metadata: z.registry() });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
