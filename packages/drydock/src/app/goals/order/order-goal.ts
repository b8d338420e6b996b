import { hostname } from "node:os";
import { DrydockError } from "@drydock/protocol";
import { machineOf, type Order } from "../../../queue/index.ts";
import type { GoalOptions } from "../api.ts";
import type { GoalPorts } from "../goal-ports.ts";
import { describeGoal, readGoal } from "../start-goal.ts";

/** A goal as an order for a worker of the machine that has its workspace. Rejects for what can't be read, and for what a person is asked for on the way. */
export async function orderGoal(ports: GoalPorts, options: GoalOptions): Promise<Order> {
  if (options.review || options.confirm || options.apply === "ask") {
    const hint = "Leave it out: `reviewPlan` pauses the run with its plan, and `apply: never` keeps its changes.";
    throw new DrydockError("input.invalid", "A goal that asks a person can't wait for a worker.", hint);
  }
  const run = describeGoal(ports, await readGoal(ports, options));
  const text = JSON.stringify(run.data);
  if (ports.ledger.redact(text) !== text) {
    const hint = "Secrets are not stored: give them to an upstream, or run the goal here.";
    throw new DrydockError("input.invalid", "The goal can't wait for a worker: it holds a secret.", hint);
  }
  return { run, needs: [machineOf(hostname())], party: ports.caller ?? "", agent: null };
}
