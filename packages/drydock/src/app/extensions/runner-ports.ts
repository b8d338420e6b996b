import { join } from "node:path";
import {
  countResponsesNeeded,
  type ExtensionRecord,
  type RunnerPorts,
  route,
  secretMissingError,
  secretNotGrantedError,
} from "../../extensions/index.ts";
import { askModel } from "../../models/index.ts";
import { matchName } from "../../policy/index.ts";
import { openDocuments, openJournal } from "../runs/open-journal.ts";
import { openTaskModel } from "../tasks/index.ts";
import type { CapabilityContext } from "./api.ts";
import type { CallPorts, WithinBudget } from "./call-ports.ts";
import { prepareCall } from "./prepare-call.ts";
import type { InnerRunner } from "./run-inner.ts";

export interface RunnerPortsOptions {
  runId: string;
  record: ExtensionRecord;
  inner: InnerRunner;
  context: CapabilityContext;
  session: string;
  signal: AbortSignal;
  /** Finding out about models takes time that a tool need not spend. */
  needsModel: boolean;
  /** Called with each secret that is read: what comes back may hold it. */
  onSecret: () => void;
}

/** Everything that a runner may do is done here, in the name of one run. */
export async function openRunnerPorts(ports: CallPorts, options: RunnerPortsOptions): Promise<RunnerPorts> {
  const { ledger, home, registry, redactor } = ports;
  const { runId, record, inner, context, session, signal } = options;
  const { id, permissions } = record.manifest;
  return {
    exec: (run) => inner.exec(run),
    async readSecret(name) {
      if (!permissions.secrets.includes(name)) throw secretNotGrantedError(name, id);
      const value = await ports.secrets.read(name);
      if (value === null) throw secretMissingError(name, id);
      options.onSecret();
      return value;
    },
    learn: (value) => redactor.learn(value),
    redact: (text) => redactor.text(text),
    storeArtifact: (content, name, mime) => ledger.artifacts.put(Buffer.from(content), { runId, name, mime }),
    toolDirectories: [join(home, "tools"), join(home, "bin")],
    searchPath: ports.searchPath,
    askModel: options.needsModel ? await openModel(ports, runId, context, signal) : null,
    async declared() {
      const { effective } = await ports.policies.resolve({ request: context.policy });
      return (await registry.routes()).flatMap(({ extension, command }) =>
        command.actions
          .filter((action) => matchName(effective.extensions.allow, `${extension}/${command.name}/${action.name}`))
          .map((action) => `/${command.name} ${action.name}`),
      );
    },
    async refusal(line) {
      try {
        const { workspace, policy } = context;
        for (const part of route(line, await registry.routes())) {
          // Values that refer to responses are checked once the responses exist.
          if (countResponsesNeeded(part) > 0) continue;
          const { extension, action, values } = part;
          await prepareCall(
            ports,
            { extension, action, values, command: part.command.name },
            { workspace, policy },
            session,
          );
        }
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    async validateJson(request, stop) {
      const { validateInWorker } = await import("../../engine/index.ts");
      return validateInWorker(request, { signal: stop ?? signal });
    },
  };
}

/** The question and its answer stand in the run, like those of tasks and agents. */
async function openModel(
  ports: CallPorts,
  runId: string,
  { model: wanted, inherited }: CapabilityContext & WithinBudget,
  signal: AbortSignal,
): Promise<RunnerPorts["askModel"]> {
  const { ledger } = ports;
  const { model } = await openTaskModel(ports, { model: wanted, inherited });
  if (!model) return null;
  const journal = openJournal(ledger, runId, await ports.readEvents(runId), () => {});
  const asking = {
    ...{ journal, documents: openDocuments(ledger, runId), model, prompts: { hashes: {} } },
    now: () => Date.now(),
    checkpoint: () => signal.throwIfAborted(),
  };
  let requestCount = 0;
  return async ({ system, prompt }) => {
    const key = `analyze/${++requestCount}`;
    const messages = [{ role: "user" as const, text: prompt }];
    return (await askModel(asking, { key, step: "analyze", system, messages, signal })).text;
  };
}
