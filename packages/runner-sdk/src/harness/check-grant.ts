import { HOST_GRANTS, type HostMethod, type RunContext, type RunnerManifest } from "@drydock/protocol/runner";

/** Why a call is refused; null where the run may make it. */
export function checkGrant(
  method: HostMethod,
  params: Record<string, unknown>,
  { capabilities, permissions }: RunnerManifest,
  { resources, context }: RunContext,
): string | null {
  const { permission, capability, resource, storage, flag } = HOST_GRANTS[method];
  if (capability && !capabilities[capability]) return `the manifest lacks the capability \`${capability}\``;
  const [kind, ...operations] = permission ?? [];
  const requested: readonly string[] = kind ? permissions[kind] : [];
  const words = operations.map((operation) => `\`${operation}\``).join(" or ");
  if (kind && !operations.some((operation) => requested.includes(operation)))
    return `the manifest's permissions lack ${words} for \`${kind}\``;
  if (storage && !resources.storage[storage]) return `the run's resources lack \`storage.${storage}\``;
  if (resource) {
    const id = params[resource.param];
    const found = resources[resource.list].find((each) => each[resource.id] === id);
    if (!found) return `the run's resources lack ${JSON.stringify(id)} in \`${resource.list}\``;
    const granted = (found.operations ?? []) as readonly string[];
    if (!operations.some((operation) => granted.includes(operation)))
      return `the run may not ${words} ${JSON.stringify(id)} of its \`${resource.list}\``;
  }
  if (flag && !context.available_apis[flag]) return `the context says that \`${flag}\` is not available`;
  return null;
}
