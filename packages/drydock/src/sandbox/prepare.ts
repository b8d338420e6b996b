import { BASE_ENVIRONMENT } from "./base-environment.ts";
import type { EgressProxy } from "./egress/index.ts";
import { type OpenNetwork, openNetwork } from "./open-network.ts";
import { addProject, lookForProject } from "./project/add-project.ts";
import type { Mount } from "./resolve-mounts.ts";
import type { RunRequest } from "./run-request.ts";
import type { SandboxOptions } from "./sandbox.ts";
import { openView, type ViewOptions } from "./view/open-view.ts";
import type { rememberRules } from "./view/remember-rules.ts";
import type { View, Views } from "./view/view.ts";

/** Everything of an execution but the process: the view of the workspace, the mounts and the way to the network. */
export interface RunPreparation extends Pick<OpenNetwork, "network" | "admit" | "release"> {
  view: View;
  /** The warden's part of a request, but for the network. */
  warden: Record<string, unknown>;
  /** The code process's part about the project's packages. */
  code: Record<string, unknown>;
  environment: Record<string, string>;
  /** Where Drydock's own programs are looked for, if the project's come first elsewhere. */
  search?: string;
  /** Names of modules that the project brings. */
  modules: readonly string[];
  notes: readonly string[];
  /** The same for a copy of a session, with a way to the network of its own. */
  copy(): Promise<RunPreparation>;
}

/** A key that the policy would let in as a variable stays outside all the same, where an upstream has it. */
function withholdSecrets(variables: Record<string, string>, secrets: readonly string[]): string[] {
  const names = Object.keys(variables).filter((name) => secrets.some((secret) => variables[name]?.includes(secret)));
  for (const name of names) delete variables[name];
  if (names.length === 0) return [];
  return [`not passed on, because they hold the key of an upstream: ${names.join(", ")}`];
}

export interface Preparer {
  prepare(
    request: ViewOptions & Pick<RunRequest, "environment" | "mounts" | "pin" | "project" | "home" | "live">,
  ): Promise<RunPreparation>;
  close(): Promise<void>;
}

export function createPreparer(
  options: SandboxOptions,
  views: Views,
  rulesOf: ReturnType<typeof rememberRules>,
): Preparer {
  let egress: Promise<EgressProxy> | undefined;

  function openProxy(): Promise<EgressProxy> {
    egress ??= import("./egress/index.ts")
      .then(({ createEgressProxy }) => createEgressProxy(options))
      .catch((error: unknown) => {
        // The next run that needs it tries again.
        egress = undefined;
        throw error;
      });
    return egress;
  }

  async function placeMounts(mounts: readonly Mount[]): Promise<Mount[]> {
    const { resolveMounts } = await import("./resolve-mounts.ts");
    return resolveMounts(mounts, options.own);
  }

  return {
    async prepare(request) {
      const { policy, environment, pin = [] } = request;
      const variables: Record<string, string> = { ...BASE_ENVIRONMENT, ...environment };
      const signs = lookForProject(request, rulesOf(policy, request.visible).hidden);
      const project = signs && (await addProject(variables, signs, { ...options, ...request }));
      const mounts = [...(request.mounts ?? []), ...(project?.mounts ?? [])];
      const placed = mounts.length > 0 ? await placeMounts(mounts) : undefined;
      const view = await openView(views, request, rulesOf);
      const warden: Record<string, unknown> = { skip: [], mounts: placed, home: request.home };
      if (view.workspace) warden.workspace = { path: view.workspace, hide: view.hide, protect: view.protect, pin };
      const { workspace } = view;
      const ports = { openProxy, openUpstreams: options.openUpstreams };
      // Whoever sits at a run wants to know which hosts it tried, also where it may reach none.
      const connected = await openNetwork(policy, workspace, ports, request.live !== undefined);
      const withheld = withholdSecrets(variables, connected.secrets);
      Object.assign(variables, connected.environment);
      const { network, admit, release } = connected;
      const { code = {}, modules = [] } = project ?? {};
      const notes = [...(project?.notes ?? []), ...withheld];
      const search = project ? BASE_ENVIRONMENT.PATH : undefined;
      const fixed = { view, warden, code, environment: variables, search, modules, notes };
      const copy = async (): Promise<RunPreparation> => {
        const { environment: _same, secrets: _too, ...again } = await openNetwork(policy, workspace, ports);
        return { ...fixed, ...again, copy };
      };
      return { ...fixed, network, admit, release, copy };
    },
    async close() {
      if (egress) await (await egress).close();
    },
  };
}
