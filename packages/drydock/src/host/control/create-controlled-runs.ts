import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  type AppendResults,
  type ControlledRun,
  type ControlledState,
  DrydockError,
  type FinalizeRun,
  type HostEvent,
  type NewControlledRun,
} from "@drydock/protocol";
import type { RunnerDiscovery } from "@drydock/protocol/runner";
import { listKnowledge } from "../access/config-resources.ts";
import { takeSnapshot } from "../access/snapshot.ts";
import { conversationKey } from "../bindings/event-id.ts";
import type { Feeds } from "../feeds/create-feeds.ts";
import type { HostPorts } from "../ports.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import { readEvent, recordEvent, requireAgent } from "../runs/receive-event.ts";
import { type Controlled, createControlled } from "./controlled-run.ts";

/**
 * Runs that are carried out from outside, by a platform in the place of a runner. Results take effect as those of a runner
 * do, with the rights that were frozen when the run was created. Whoever has the run's token may append and finalize.
 */
export interface ControlledRuns {
  create(request: NewControlledRun): Promise<ControlledRun>;
  append(runId: string, request: AppendResults): Promise<ControlledState>;
  finalize(runId: string, request: FinalizeRun): Promise<ControlledState>;
  /** Whether this process had such a run, and has ended it. */
  cancel(runId: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface ControlledRunPorts {
  ports: HostPorts;
  feeds: Feeds;
  findRunner(runnerId: string): Promise<{ plugin: string; runner: RunnerDiscovery }>;
  handle: ActiveRuns["handle"];
}

/** Of runs that have ended so many are remembered, so that a call that is repeated gets the same answer. */
const MAX_ENDED = 1000;
const MAX_OPEN = 1000;

export function createControlledRuns({ ports, feeds, findRunner, handle }: ControlledRunPorts): ControlledRuns {
  const runs = new Map<string, { run: Controlled; digest: Buffer }>();

  const findOwn = (runId: string, token: string): Controlled => {
    const found = runs.get(runId);
    if (!found) {
      const hint =
        "A run is controlled through the server that created it, and ends with it. Look at GET /host/runs/ID.";
      throw new DrydockError("run.not_found", `There is no run ${runId} that is controlled here.`, hint, { runId });
    }
    if (timingSafeEqual(digestOf(token), found.digest)) return found.run;
    const hint = "Send the token that was given when the run was created.";
    throw new DrydockError("policy.approval_denied", "The token is not the one of this run.", hint, { runId });
  };
  const makeRoom = () => {
    const ended = [...runs].filter(([, { run }]) => run.hasEnded);
    for (const [runId] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) runs.delete(runId);
    if (runs.size - ended.length < MAX_OPEN) return;
    throw new DrydockError("limit.concurrency", `${MAX_OPEN} controlled runs are under way.`, "Finalize some of them.");
  };
  const createFor = async (name: string, event: HostEvent): Promise<ControlledRun> => {
    const agent = await requireAgent(ports.facts, name);
    const { plugin, runner } = await findRunner(agent.runner);
    const { id: eventId, conversation, fact } = await recordEvent(ports.facts, event);
    if (!fact) {
      const hint = "Create each run with an event of its own.";
      throw new DrydockError("input.invalid", `The event ${eventId} came before.`, hint, { event: eventId });
    }
    const { manifest } = runner;
    const knowledge = await ports.knowledge.find(listKnowledge(manifest, agent));
    const snapshot = takeSnapshot({ manifest, plugin, agent, event, knowledge });
    const token = `rct_${randomBytes(24).toString("base64url")}`;
    const request = { eventId, event, agent, binding: null, controlled: true, access: snapshot };
    const record = await ports.createRun({ title: `${name}: ${event.type}`, data: { request } });
    await ports.facts.events.settle(eventId, "run", record.id);
    const run = createControlled({
      ...{ ports, record, agent, event, eventId, conversation, snapshot },
      onStep: (type, data) => feeds.publish(conversation, { type, eventId, runId: record.id, data }),
    });
    runs.set(record.id, { run, digest: digestOf(token) });
    return { runId: record.id, eventId, token, deadlineAt: new Date(run.deadlineMs).toISOString() };
  };

  return {
    async create({ agent, event: input }) {
      makeRoom();
      const event = readEvent(input);
      return handle(conversationKey(event), () => createFor(agent, event));
    },
    append: (runId, { token, results }) => findOwn(runId, token).append(results),
    finalize: (runId, { token, ...end }) => findOwn(runId, token).finalize(end),
    async cancel(runId) {
      const found = runs.get(runId);
      if (!found || found.run.hasEnded) return false;
      await found.run.cancel();
      return true;
    },
    async close() {
      await Promise.all([...runs.values()].map(({ run }) => run.cancel()));
    },
  };
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
