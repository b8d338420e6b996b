import type { CapabilityOutcome, CommandRoute } from "@drydock/protocol";
import { complete, createQueue, createRunnerTable, helpText, listTools } from "../../extensions/index.ts";
import { matchName } from "../../policy/index.ts";
import type { Track } from "../runs/track-calls.ts";
import type { CapabilityContext, Extensions, HostActions } from "./api.ts";
import { createApprovals } from "./approvals/create-approvals.ts";
import { resumeCall } from "./approvals/resume-call.ts";
import type { CallPorts } from "./call-ports.ts";
import { executeCapability } from "./execute-capability.ts";
import { createHistory } from "./history.ts";
import { createOpenQuestions } from "./open-questions.ts";
import { openRegistry } from "./registry.ts";
import { type ReplayCallRequest, type ReplayedCall, replayCall } from "./replay-call.ts";
import { createResponses } from "./responses.ts";
import { createSecrets } from "./secrets/create-secrets.ts";

export interface LiveExtensions extends Extensions {
  /** For other use cases only. */
  replayCall(request: ReplayCallRequest): Promise<ReplayedCall>;
}

type OpenPorts = Omit<CallPorts, "registry" | "runners" | "queue" | "asking" | "secrets">;

/** Connects the parts of a home's extensions: registry, router, runners, queue, responses. */
export function createExtensions(open: OpenPorts & { hostActions: HostActions }, track: Track): LiveExtensions {
  const { ledger } = open;
  const registry = openRegistry(open);
  const runners = createRunnerTable();
  const queue = createQueue();
  const secrets = createSecrets(open);
  const asking = createOpenQuestions();
  const ports: CallPorts = { ...open, registry, runners, queue, asking, secrets };
  return {
    ...registry,
    execute: (route: string | CommandRoute, context: CapabilityContext = {}): Promise<CapabilityOutcome> =>
      track(context.signal, (signal) => executeCapability(ports, route, { ...context, signal })),
    complete: async (line) => complete(line, await registry.routes()),
    help: async (words = []) => helpText(words, await registry.routes()),
    tools: async () => {
      const { allow } = (await open.policies.resolve({})).effective.extensions;
      const tools = listTools(await registry.routes());
      return tools.filter(({ extension, command, action }) => matchName(allow, `${extension}/${command}/${action}`));
    },
    registerRunner: (name, runner) => runners.register(name, runner),
    queue: { list: () => queue.list(), cancel: (runId) => queue.cancel(runId) },
    responses: createResponses(ledger),
    approvals: createApprovals(
      open,
      (approval, context) =>
        asking.goOn(approval.runId) ??
        track(context.signal, (signal) => resumeCall(ports, approval, { ...context, signal })),
      (denied) => void asking.goOn(denied.runId),
    ),
    secrets,
    history: createHistory(ledger),
    replayCall: (request) => replayCall(ports, request),
  };
}
