import { DrydockError, type EffectivePolicy, type PolicyDocument } from "@drydock/protocol";
import { intersectPolicies, overlayRequests, pickNamedKeys } from "../../policy/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import {
  type AgentCallOptions,
  type AgentResult,
  type AnyDefinition,
  type OnProgress,
  openToolbox,
  prepareAgent,
  readInput,
  runAgent,
} from "../../tasks/index.ts";
import { execute } from "../execute/index.ts";
import { createPolicyViews } from "../policies/index.ts";
import type { Authority, PythonTaskPorts } from "../tasks/index.ts";
import { createExecStage, findPlace, openConversationSandbox, recordRun } from "../tasks/index.ts";
import { createCapabilityHost } from "./capability-host.ts";
import { createToolHost } from "./tool-host.ts";

/** The default policy of code-executing agents, within the owner's ceiling. */
const EXECUTE_PRESET: PolicyDocument = { python: { guard: "strict" }, limits: { wallSeconds: 30, cpuSeconds: 30 } };
const MAX_DEPTH = 8;

/** Calls an agent, as a run of its own. `caller` is the agent that calls it as a tool, whose authority it can't exceed. */
export async function callAgent(
  ports: PythonTaskPorts,
  definition: AnyDefinition,
  rawInput: unknown,
  options: AgentCallOptions,
  caller: Authority | null = null,
): Promise<AgentResult> {
  const agent = prepareAgent(definition);
  const { name, execute: settings } = definition;
  const depth = (caller?.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) {
    const hint = "Agents that call each other in a circle never end: take one out of the tools of the other.";
    throw new DrydockError("input.invalid", `agent ${name}: agents call each other ${MAX_DEPTH} deep.`, hint, {
      agent: name,
    });
  }
  const input = await readInput(agent, rawInput);
  const workspace = settings?.workspace === undefined ? null : resolveWorkspace(settings.workspace, ports.own);
  const { policy, request, requestedPolicy } = await findAuthority(ports, definition, options, workspace, caller);
  const model = options.model ?? definition.model ?? caller?.model;
  const onProgress: OnProgress = (progress) => options.onProgress?.({ agent: name, ...progress });
  const recorded = await recordRun(
    ports,
    {
      kind: "agent",
      title: `${name}: ${typeof rawInput === "string" ? rawInput : JSON.stringify(input)}`,
      workspace,
      data: { policy, request: { agent: name, input, model: model ?? null, executes: settings?.language ?? null } },
      ...{ parentRunId: caller?.runId, model, budget: options.budget, inherited: caller?.budget, onProgress },
      signal: options.signal,
      onEvent: options.onEvent,
    },
    async (agentPorts, runId) => {
      const { signal, budget } = agentPorts;
      const authority: Authority = { policy, requestedPolicy, budget, runId, model, depth };
      const inner = { signal, onProgress: agentPorts.onProgress, approval: options.approval };
      const findSessionPlace = () =>
        findPlace(ports, {
          ...{ session: options.session, policy: request, attachments: [], checks: [] },
          ...(options.session === undefined && { workspace }),
        });
      const sandbox = openConversationSandbox(ports, findSessionPlace, { recorded: agentPorts, runId, model });
      const host = createToolHost(
        {
          exec: (nested) => execute(ports, { signal, ...nested }),
          policies: createPolicyViews(ports.policies, ports.own),
        },
        {
          policy: request,
          parentRunId: runId,
          sandbox,
          capabilities: createCapabilityHost(ports.extensions, {
            ...{ policy: requestedPolicy, parentRunId: runId, session: options.session ?? runId, model },
            ...{ workspace: workspace ?? undefined, approval: options.approval, inherited: budget },
          }),
        },
      );
      const toolbox = await openToolbox(definition.tools ?? [], { signal, runId, host }, (tool, value) =>
        callAgent(ports, tool, value, inner, authority),
      );
      try {
        const place = { session: options.session, workspace, request };
        const stage = settings
          ? createExecStage(ports, settings.language ?? "python", place, { runId, signal, onProgress })
          : null;
        const value = await runAgent(agentPorts, { agent, input, toolbox, policy, stage });
        return { value, ok: value.ok, data: { error: value.ok ? null : Object(value.output).error } };
      } finally {
        await toolbox.close();
        await sandbox.close();
      }
    },
  );
  const { runId, usage, outcome } = recorded;
  if (outcome.kind === "done")
    return { output: outcome.value.output, runId, toolCalls: outcome.value.toolCalls, usage };
  const { code, message, hint, data } = outcome.error;
  throw new DrydockError(code, message, hint, { ...data, agent: name, runId }, outcome.error);
}

interface CallAuthority {
  policy: EffectivePolicy;
  /** The same, as a policy request. */
  request: PolicyDocument;
  /** Only what a caller has requested. Where none has, the extension's own grants hold. */
  requestedPolicy: PolicyDocument | undefined;
}

/**
 * What the call asks for, key by key, else what the agent does, else the preset; never above the owner's ceiling, and
 * for an agent that is a tool never above what its caller has.
 */
async function findAuthority(
  { policies }: PythonTaskPorts,
  { execute: settings, policy: own }: AnyDefinition,
  { policy: callPolicy }: AgentCallOptions,
  workspace: string | null,
  caller: Authority | null,
): Promise<CallAuthority> {
  const preset = settings ? EXECUTE_PRESET : undefined;
  const wanted = overlayRequests(overlayRequests(own, settings?.policy), callPolicy);
  const { effective } = await policies.resolve({ workspace, request: wanted, preset });
  const policy = caller ? intersectPolicies(effective, caller.policy) : effective;
  return {
    policy,
    request: policy,
    requestedPolicy: pickNamedKeys(policy, [wanted, caller?.requestedPolicy]),
  };
}
