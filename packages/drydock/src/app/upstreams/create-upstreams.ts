import { relative } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { Redactor } from "../../ledger/index.ts";
import { matchUpstreams } from "../../policy/index.ts";
import type { OpenUpstreams } from "../../sandbox/index.ts";
import type { Sender } from "../../upstreams/index.ts";
import type { EnvironmentVariables } from "../models/index.ts";
import type { Policies } from "../policies/index.ts";
import type { UpstreamGateway } from "./api.ts";

export interface UpstreamPorts {
  home: string;
  environment: EnvironmentVariables;
  policies: Policies;
  /** Learns the keys: no record holds one. */
  redactor: Redactor;
}

/** Loaded with the first run that has upstreams: most docks have none. */
export function createUpstreams(ports: UpstreamPorts): UpstreamGateway {
  let sender: Promise<Sender> | undefined;
  const openSender = () => {
    sender ??= import("../../upstreams/index.ts").then(({ createSender }) => createSender());
    return sender;
  };
  return {
    open: (request) => openForRun(ports, openSender, request),
    list: async () => (await import("./list-upstreams.ts")).listUpstreams(ports),
    add: async (options) => (await import("./edit-upstreams.ts")).addUpstream(ports, options),
    remove: async (name) => (await import("./edit-upstreams.ts")).removeUpstream(ports, name),
    test: async (name, { signal } = {}) =>
      (await import("./list-upstreams.ts")).testOne(ports, await openSender(), name, signal),
    async close() {
      if (sender) await (await sender).close();
    },
  };
}

async function openForRun(
  { home, environment, redactor }: UpstreamPorts,
  openSender: () => Promise<Sender>,
  { allow, workspace, onRequest }: Parameters<OpenUpstreams>[0],
) {
  const { readHomeConfig } = await import("../models/index.ts");
  const { readUpstream, unknownUpstream } = await import("./read-upstream.ts");
  const config = await readHomeConfig(home);
  const configured = Object.keys(config.upstreams ?? {});
  const missing = allow.find((name) => !name.includes("*") && !configured.includes(name));
  if (missing !== undefined) throw unknownUpstream(missing, configured);
  const found = matchUpstreams(allow, configured).map((name) => readUpstream(name, config, environment));
  for (const { upstream, problem, keyFile } of found) {
    if (upstream.key !== null) redactor.learn(upstream.key, `upstream-${upstream.name}`);
    if (problem) throw problem;
    if (workspace !== null && keyFile !== null && !relative(workspace, keyFile).startsWith("..")) {
      throw keyInWorkspace(upstream.name, keyFile, workspace);
    }
  }
  const { openUpstreams } = await import("../../upstreams/index.ts");
  const { budget = {}, prices = {} } = config.models ?? {};
  const upstreams = found.map(({ upstream }) => upstream);
  return openUpstreams({ upstreams, budget, prices, sender: await openSender(), onRequest });
}

function keyInWorkspace(name: string, file: string, workspace: string): DrydockError {
  return new DrydockError(
    "policy.path_denied",
    `The key of the upstream ${name} lies in the workspace (${relative(workspace, file)}), where the run would see it.`,
    "Move it out of the workspace, and name its new place: upstreams.NAME.keyFile in config.yaml.",
    { paths: [file] },
  );
}
