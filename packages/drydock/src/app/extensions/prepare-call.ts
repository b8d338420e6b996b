import { type CommandAction, DrydockError, type EffectivePolicy, type ParameterValue } from "@drydock/protocol";
import {
  type ExtensionRecord,
  extensionNotAllowedError,
  findRunnerKind,
  listUrls,
  type Registry,
} from "../../extensions/index.ts";
import { matchName, type ResolvedPolicy } from "../../policy/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { Policies } from "../policies/index.ts";
import type { CapabilityContext } from "./api.ts";
import { type Grant, grantPolicy, presetFor } from "./grant-policy.ts";
import { findWorkDirectory, workDirectoryOf } from "./work-directory.ts";

export interface PreparedCall {
  record: ExtensionRecord;
  grant: Grant;
  /** The most that the owner lets anybody ask for. */
  ceiling: EffectivePolicy;
  /** The directory that was named, by its real path. */
  workspace: string | null;
  /** What the run sees as its directory. */
  place: CallDirectory;
}

/** The user's directory as far as the extension may see it, or the extension's own. */
export type CallDirectory =
  | { kind: "workspace"; path: string; visible: readonly string[]; scope: readonly string[] }
  | { kind: "work"; path: string; existing: string | null; keeps: boolean };

export interface PreparePorts {
  registry: Registry;
  policies: Policies;
  home: string;
  own: readonly string[];
}

/** One action with its values, as the router decided. */
export interface RoutedCall {
  extension: string;
  command: string;
  action: CommandAction;
  values: Readonly<Record<string, ParameterValue>>;
}

/** What a policy comes to for an action is worked out once for as long as neither changes. */
const grants = new WeakMap<ResolvedPolicy, WeakMap<CommandAction, Grant>>();

/** All checks before a call starts. Throws the first problem. */
export async function prepareCall(
  ports: PreparePorts,
  call: RoutedCall,
  { policy: request, workspace: requestedWorkspace }: Pick<CapabilityContext, "policy" | "workspace">,
  session: string,
): Promise<PreparedCall> {
  const { action, extension: id } = call;
  const record = await ports.registry.verify(id);
  const { permissions } = record.manifest;
  const workspace = requestedWorkspace === undefined ? null : resolveWorkspace(requestedWorkspace, ports.own);
  const preset = presetFor(permissions, action.timeoutSeconds);
  const resolved = await ports.policies.resolve({ workspace, request, preset });
  const { allow } = resolved.effective.extensions;
  if (!matchName(allow, `${id}/${call.command}/${action.name}`)) {
    const { source, file } = resolved.origins["extensions.allow"] ?? { source: "system" };
    throw extensionNotAllowedError(id, file ?? `the ${source} policy`);
  }
  const grant = findGrant(resolved, record, action);
  checkHosts(call, grant);
  return {
    record,
    grant,
    ceiling: resolved.ceiling,
    workspace,
    place: choosePlace(ports, record, workspace, session, grant.policy),
  };
}

function findGrant(resolved: ResolvedPolicy, record: ExtensionRecord, action: CommandAction): Grant {
  let known = grants.get(resolved);
  if (!known) {
    known = new WeakMap();
    grants.set(resolved, known);
  }
  let grant = known.get(action);
  if (!grant) {
    const { id, permissions } = record.manifest;
    const { runner, timeoutSeconds } = action;
    const programs = findRunnerKind(runner)?.programs ?? "declared";
    grant = grantPolicy(resolved, { extension: id, permissions, timeoutSeconds, programs });
    known.set(action, grant);
  }
  return grant;
}

/** The proxy enforces this; the check here only reports it before anything starts. */
function checkHosts({ action, values }: RoutedCall, { checkHost }: Grant): void {
  const own = action.request ? URL.parse(action.request.url.replace(/\{\{[^{}]*\}\}/g, "x")) : null;
  for (const url of [...listUrls(action, values).map((each) => each.url), ...(own ? [own] : [])]) {
    checkHost(url.hostname, Number(url.port) || (url.protocol === "https:" ? 443 : 80));
  }
}

function choosePlace(
  { home }: PreparePorts,
  { manifest }: ExtensionRecord,
  workspace: string | null,
  session: string,
  { files }: EffectivePolicy,
): CallDirectory {
  const { read, write } = manifest.permissions.paths;
  // Who may see nothing of the user's directory is not brought there.
  if (workspace !== null && read.length + write.length > 0) {
    if (!files.access) throw noFiles();
    return { kind: "workspace", path: workspace, visible: [...read, ...write], scope: write };
  }
  const path = workDirectoryOf(home, manifest.id, session);
  return { kind: "work", path, existing: files.access ? findWorkDirectory(path) : null, keeps: files.access };
}

function noFiles(): DrydockError {
  return new DrydockError(
    "policy.path_denied",
    "The policy gives runs no access to files (files.access: false).",
    "Call it without a workspace, or set `files.access: true` in the home policy.",
  );
}
