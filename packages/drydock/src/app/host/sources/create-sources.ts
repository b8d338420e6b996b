import { randomBytes } from "node:crypto";
import {
  DrydockError,
  explainIssues,
  type HostSource,
  NewSource,
  SourceChanges,
  type SourceTypeInfo,
} from "@drydock/protocol";
import * as z from "zod";
import {
  checkSecrets,
  createWarnings,
  readSettings,
  type ServedSources,
  SOURCE_TYPES,
  type SourcePorts,
  type SourceType,
  serveSources,
  testSource,
} from "../../../host/index.ts";
import type { HostStore, Ledger, Redactor, StoredSource } from "../../../ledger/index.ts";
import { createSecrets } from "../../extensions/index.ts";
import type { ActionRegistry } from "../actions/action-registry.ts";
import type { HostSources, RunningSources } from "./host-sources.ts";

export interface SourcesPorts {
  ledger: Pick<Ledger, "openHost" | "artifacts">;
  home: string;
  redactor: Redactor;
  registry: ActionRegistry;
  send: SourcePorts["send"];
}

export interface LiveSources extends HostSources {
  close(): Promise<void>;
}

/** The sources of a home: what they are is on record, and one server at a time runs them in this dock. */
export async function createSources(ports: SourcesPorts): Promise<LiveSources> {
  const facts = await ports.ledger.openHost();
  const live = openPorts(ports, facts);
  let served: { sources: ServedSources; users: number } | null = null;

  const change = async (work: () => Promise<StoredSource>): Promise<HostSource> => {
    const { source } = await work();
    // What a server of this process runs follows at once; others look by themselves.
    await served?.sources.look();
    const now = await facts.sources.find(source.name);
    return describe(now ?? (await Promise.reject(notThere(source.name))));
  };
  const requireSource = async (name: string): Promise<StoredSource> => {
    const found = await facts.sources.find(name);
    if (!found) throw notThere(name);
    return found;
  };
  return {
    types: async () => SOURCE_TYPES.map(describeType),
    add: (request) =>
      change(async () => {
        const source = check(NewSource, request);
        await checkSource(source, live);
        return facts.sources.add(source);
      }),
    find: async (name) => describe(await requireSource(name)),
    list: async () => (await facts.sources.list()).map(describe),
    change: (name, request) =>
      change(async () => {
        const changes = check(SourceChanges, request);
        const changed = applyChanges((await requireSource(name)).source, changes);
        // What is only switched off need not be right.
        if (changed.enabled || changes.settings || changes.secrets) await checkSource(changed, live);
        return facts.sources.change(name, (source) => applyChanges(source, changes));
      }),
    async remove(name) {
      const removed = await facts.sources.remove(name);
      await served?.sources.look();
      return describe(removed);
    },
    async test(name, { signal = new AbortController().signal } = {}) {
      const stored = await requireSource(name);
      return testSource({ ...live, stored, type: requireType(stored.source.type), signal });
    },
    async serve() {
      served ??= { sources: startAll(ports, live), users: 0 };
      served.users += 1;
      return openUser(served, async (patience) => {
        const last = served;
        served = null;
        await last?.sources.close(patience);
      });
    },
    async close() {
      const last = served;
      served = null;
      await last?.sources.close(AbortSignal.abort());
      await live.warnings.close();
    },
  };
}

/** Several servers on one dock share what runs. */
function openUser(
  shared: { sources: ServedSources; users: number },
  end: (patience: AbortSignal) => Promise<void>,
): RunningSources {
  let isOpen = true;
  return {
    receive: (prefix, key, request) => shared.sources.receive(prefix, key, request),
    find: (prefix, key) => shared.sources.find(prefix, key),
    async close(patience = AbortSignal.abort()) {
      if (!isOpen) return;
      isOpen = false;
      shared.users -= 1;
      if (shared.users === 0) await end(patience);
    },
  };
}

function startAll({ registry }: SourcesPorts, live: SourcePorts): ServedSources {
  const sources = serveSources(live, randomBytes(12).toString("hex"));
  for (const { type, answers } of SOURCE_TYPES) {
    // A surface of this name that a program has registered goes first.
    if (answers && registry.findSurface(type) === null)
      registry.registerSurface(type, (delivery) => sources.deliver(delivery));
  }
  void sources.look();
  return sources;
}

function openPorts({ ledger, home, redactor, send }: SourcesPorts, facts: HostStore): SourcePorts {
  const { read: readSecret } = createSecrets({ home, redactor });
  return {
    ...{ types: SOURCE_TYPES, store: facts.sources, readSecret, send, now: Date.now },
    findAgent: facts.agents.find,
    async findFile(runId, artifactId) {
      const found = await ledger.artifacts.get(artifactId);
      if (!found || found.runId !== runId) return null;
      const { name, mime, size } = found;
      return { artifactId, name, mime, size, read: () => ledger.artifacts.read(artifactId) };
    },
    warnings: createWarnings(facts),
  };
}

function applyChanges(source: NewSource, { settings = {}, secrets = {}, enabled = source.enabled }: SourceChanges) {
  return {
    ...{ name: source.name, type: source.type, enabled },
    settings: withoutNulls({ ...source.settings, ...settings }),
    secrets: withoutNulls({ ...source.secrets, ...secrets }),
  };
}

function withoutNulls<T>(values: Record<string, T>): Record<string, NonNullable<T>> {
  const kept = Object.entries(values).filter((entry): entry is [string, NonNullable<T>] => entry[1] !== null);
  return Object.fromEntries(kept);
}

/** Whether it can work, as far as that is known before it starts. */
async function checkSource(source: NewSource, { readSecret }: Pick<SourcePorts, "readSecret">): Promise<void> {
  const type = requireType(source.type);
  const settings = readSettings(type, source.settings);
  checkSecrets(type, source.secrets);
  for (const name of Object.values(source.secrets)) {
    if ((await readSecret(name)) !== null) continue;
    const hint = `Store it first: \`drydock secret set ${name}\`.`;
    throw new DrydockError("input.invalid", `There is no secret ${name}.`, hint, { secret: name });
  }
  (await type.load()).check?.(settings);
}

function describe({ id, source, status, createdAt, changedAt }: StoredSource): HostSource {
  const path = SOURCE_TYPES.find(({ type }) => type === source.type)?.path ?? null;
  const address = path && `${path.prefix}${path.by === "id" ? id : source.name}`;
  return { ...source, id, address, createdAt, changedAt, status };
}

function describeType({ type, summary, events, answers, settings, secrets }: SourceType): SourceTypeInfo {
  const { $schema: _, ...form } = z.toJSONSchema(settings, { io: "input" });
  const named = Object.entries(secrets).map(([name, facts]) => ({ name, ...facts }));
  return { type, summary, events: [...events], answers: answers !== null, settings: form, secrets: named };
}

function requireType(name: string): SourceType {
  const found = SOURCE_TYPES.find(({ type }) => type === name);
  if (found) return found;
  const hint = `There are: ${SOURCE_TYPES.map(({ type }) => type).join(", ")}.`;
  throw new DrydockError("input.invalid", `There is no type of source ${name}.`, hint, { type: name });
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [problem] = explainIssues(read.error.issues, "the source");
  const hint = "The guide on event sources describes the fields.";
  throw new DrydockError("input.invalid", `The source is not valid: ${problem}.`, hint);
}

function notThere(name: string): DrydockError {
  const hint = "`drydock source list` shows all sources.";
  return new DrydockError("source.not_found", `There is no source ${name}.`, hint, { source: name });
}
