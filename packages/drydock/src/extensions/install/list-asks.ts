import type { ExtensionCommand, ExtensionManifest, InstalledExtension } from "@drydock/protocol";

/** Everything that an extension asks for, one line each: what was in the last version need not be agreed to again. */
export function listAsks({ manifest, commands }: Pick<InstalledExtension, "manifest" | "commands">): string[] {
  const { permissions, install } = manifest;
  return [
    ...permissions.tools.map((name) => `tool ${name}`),
    ...permissions.hosts.map((host) => (host === "policy" ? "hosts that your policy allows" : `host ${host}`)),
    ...permissions.environment.map((name) => `variable ${name}`),
    ...permissions.secrets.map((name) => `secret ${name}`),
    ...permissions.paths.read.map((pattern) => `read ${pattern}`),
    ...permissions.paths.write.map((pattern) => `write ${pattern}`),
    ...Object.entries(permissions.limits).map(([name, value]) => `limit ${name} ${value}`),
    ...install.flatMap(({ url, sha256 }) => (url ? [`download ${url} (sha256 ${sha256})`] : [])),
    ...commands.flatMap(listActions),
  ];
}

export function findAdded(
  next: Pick<InstalledExtension, "manifest" | "commands">,
  before: { manifest: ExtensionManifest; commands: ExtensionCommand[] } | null,
): string[] {
  const known = new Set(before ? listAsks(before) : []);
  return listAsks(next).filter((ask) => !known.has(ask));
}

/** With its risk: a command with a lower risk than before may need no approval any more, so the change is listed. */
function listActions({ name, aliases, actions }: ExtensionCommand): string[] {
  const also = aliases.map((alias) => `command /${alias}`);
  return [...actions.map((action) => `command /${name} ${action.name} (${action.risk} risk)`), ...also];
}
