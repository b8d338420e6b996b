import { ModelAnswered, ModelCalled, type RunEvent } from "@drydock/protocol";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Dock } from "../../app/index.ts";

/** Metrics of what ran in this home, and of what its models were asked. Gives what takes the events of this server. */
export function addRunMetrics(dock: Dock, register: Registry): (events: readonly RunEvent[]) => void {
  const registers = [register];
  new Gauge({
    name: "drydock_runs",
    help: "Runs in the ledger: executions, steps of sessions, goals, verifications, tasks, workflows, agents, capabilities of extensions",
    labelNames: ["kind", "status"],
    registers,
    async collect() {
      this.reset();
      for (const { kind, status, runs } of await dock.runs.count()) this.set({ kind, status }, runs);
    },
  });
  const requests = new Counter({
    name: "drydock_model_requests_total",
    help: "Requests to models that this server has made",
    labelNames: ["model", "ok"],
    registers,
  });
  const tokens = new Counter({
    name: "drydock_model_tokens_total",
    help: "Tokens that models have read and written for this server",
    labelNames: ["model", "direction"],
    registers,
  });
  const cost = new Counter({
    name: "drydock_model_cost_usd_total",
    help: "What models whose price is known have cost this server",
    labelNames: ["model"],
    registers,
  });
  return (events) => {
    for (const { type, data } of events) {
      if (type === "model.failed") requests.inc({ model: "", ok: "false" });
      const called = type === "model.called" ? ModelCalled.safeParse(data).data : undefined;
      if (called) {
        const { model, usage, error } = called;
        // What the budget refused was not sent.
        if (error?.code !== "limit.budget") requests.inc({ model, ok: String(error === undefined) });
        tokens.inc({ model, direction: "input" }, usage.inputTokens);
        if (usage.costUsd !== null) cost.inc({ model }, usage.costUsd);
      }
      const answered = type === "model.answered" ? ModelAnswered.safeParse(data).data : undefined;
      if (!answered) continue;
      const { model, usage } = answered;
      requests.inc({ model, ok: "true" }, answered.requests ?? 1);
      tokens.inc({ model, direction: "input" }, usage.inputTokens);
      tokens.inc({ model, direction: "output" }, usage.outputTokens);
      if (usage.costUsd !== null) cost.inc({ model }, usage.costUsd);
    }
  };
}
