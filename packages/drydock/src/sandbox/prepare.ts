import { matchHost } from "../policy/index.ts";
import { BASE_ENVIRONMENT } from "./base-environment.ts";
import type { EgressProxy } from "./egress/index.ts";
import { openView, type ViewOptions } from "./open-view.ts";
import type { NetworkUse } from "./outcome.ts";
import type { rememberRules } from "./remember-rules.ts";
import type { Shelf } from "./resolve-shelves.ts";
import type { RunRequest } from "./run-request.ts";
import type { View, Views } from "./view.ts";

/** Everything of an execution but the process: the view of the workspace, the mounts and the way to the network. */
export interface Preparation {
  view: View;
  network: NetworkUse;
  /** The warden's part of a request. */
  warden: Record<string, unknown>;
  environment: Record<string, string>;
  release(): void;
}

export interface Preparer {
  prepare(request: ViewOptions & Pick<RunRequest, "environment" | "shelves" | "pin">): Promise<Preparation>;
  close(): Promise<void>;
}

const PROXY_PORT = 3128;
const MAX_NETWORK_NOTES = 100;

export function createPreparer(
  { directory, own }: { directory: string; own: readonly string[] },
  views: Views,
  rulesOf: ReturnType<typeof rememberRules>,
): Preparer {
  let egress: Promise<EgressProxy> | undefined;

  async function placeShelves(shelves: readonly Shelf[]): Promise<Shelf[]> {
    const { resolveShelves } = await import("./resolve-shelves.ts");
    return resolveShelves(shelves, own);
  }

  return {
    async prepare(request) {
      const { policy, environment, shelves = [], pin = [] } = request;
      const placed = shelves.length > 0 ? await placeShelves(shelves) : undefined;
      const view = await openView(views, request, rulesOf);
      const network: NetworkUse = { refused: [], connected: [] };
      const warden: Record<string, unknown> = { skip: [], shelves: placed };
      const variables: Record<string, string> = { ...BASE_ENVIRONMENT, ...environment };
      if (view.workspace) warden.workspace = { path: view.workspace, hide: view.hide, protect: view.protect, pin };
      let release = () => {};
      if (policy.network.allow.length > 0) {
        const { createEgressProxy, proxyEnvironment } = await import("./egress/index.ts");
        egress ??= createEgressProxy({ directory });
        const proxy = await egress;
        const grant = proxy.admit({
          allow: policy.network.allow,
          match: (host, port) => matchHost(policy.network.allow, host, port),
          onRefused: (host, port, reason) => {
            if (network.refused.length < MAX_NETWORK_NOTES) network.refused.push({ host, port, reason });
          },
          onConnected: (host, port, bytesUp, bytesDown) => {
            if (network.connected.length < MAX_NETWORK_NOTES)
              network.connected.push({ host, port, bytesUp, bytesDown });
          },
        });
        release = () => grant.revoke();
        warden.network = { socket: proxy.socketPath, token: grant.token };
        Object.assign(variables, proxyEnvironment(PROXY_PORT, policy.network.allow));
      }
      return { view, network, warden, environment: variables, release };
    },
    async close() {
      if (egress) await (await egress).close();
    },
  };
}
