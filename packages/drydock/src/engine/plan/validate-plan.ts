import { type EffectivePolicy, Plan, type PlanProblem, type PlanTask } from "@drydock/protocol";
import { describePathPatternProblem } from "../../policy/index.ts";
import { findCheckProblems } from "../verify/index.ts";

export type CheckedPlan = { ok: true; plan: Plan } | { ok: false; problems: PlanProblem[] };

/** Who wrote the plan: a person's word counts for more than a planner's. */
export type PlanAuthor = "person" | "planner";

/** Everything that is wrong with a plan, so that one answer can mend it all. */
export async function validatePlan(input: unknown, policy: EffectivePolicy, author: PlanAuthor): Promise<CheckedPlan> {
  const parsed = Plan.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({
      where: issue.path.map(String).join(".") || "plan",
      problem: issue.message,
    }));
    return { ok: false, problems };
  }
  const plan = parsed.data;
  const problems = [...findRepeatedIds(plan), ...findMissingDependencies(plan), ...findCycle(plan)];
  if (author === "planner") problems.push(...findSufficient(plan));
  for (const task of plan.tasks) problems.push(...(await checkTask(task, policy)));
  return problems.length === 0 ? { ok: true, plan } : { ok: false, problems };
}

function findRepeatedIds({ tasks }: Plan): PlanProblem[] {
  const seen = new Set<string>();
  const problems: PlanProblem[] = [];
  for (const { id } of tasks) {
    if (seen.has(id)) problems.push({ where: `task ${id}`, problem: "another task has the same id" });
    seen.add(id);
  }
  return problems;
}

/** Otherwise a planner could have a check that proves nothing count as proof. */
function findSufficient({ tasks }: Plan): PlanProblem[] {
  return tasks.flatMap(({ id, checks }) =>
    checks.flatMap(({ type, sufficient }, index) =>
      sufficient !== true
        ? []
        : [
            {
              where: `task ${id}, check ${index} (${type})`,
              problem: "only a person may say `sufficient: true`; leave it out",
            },
          ],
    ),
  );
}

function findMissingDependencies({ tasks }: Plan): PlanProblem[] {
  const ids = new Set(tasks.map((task) => task.id));
  return tasks.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter((other) => !ids.has(other))
      .map((other) => ({ where: `task ${id}`, problem: `it depends on ${other}, which is not a task of the plan` })),
  );
}

/** Takes away whatever depends on nothing that is left; what can't be taken away goes in circles. */
function findCycle({ tasks }: Plan): PlanProblem[] {
  const ids = new Set(tasks.map((task) => task.id));
  const waiting = new Map(tasks.map((task) => [task.id, new Set(task.dependsOn.filter((id) => ids.has(id)))]));
  const followers = new Map<string, string[]>();
  for (const [id, needs] of waiting) {
    for (const need of needs) followers.set(need, [...(followers.get(need) ?? []), id]);
  }
  const free = [...waiting].filter(([, needs]) => needs.size === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waiting.delete(id);
    for (const follower of followers.get(id) ?? []) {
      const needs = waiting.get(follower);
      if (needs?.delete(id) && needs.size === 0) free.push(follower);
    }
  }
  if (waiting.size === 0) return [];
  return [{ where: `tasks ${[...waiting.keys()].join(", ")}`, problem: "they depend on each other in a circle" }];
}

async function checkTask(task: PlanTask, policy: EffectivePolicy): Promise<PlanProblem[]> {
  const scope = task.scope.flatMap((pattern) => {
    const problem = describePathPatternProblem(pattern);
    return problem === null ? [] : [{ where: `task ${task.id}, scope ${pattern}`, problem: `it ${problem}` }];
  });
  const checks = await findCheckProblems(task.checks, policy);
  return [
    ...scope,
    ...checks.map(({ index, reason }) => ({
      where: `task ${task.id}, check ${index} (${task.checks[index]?.type})`,
      problem: reason,
    })),
  ];
}
