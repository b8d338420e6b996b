import { ApiError, RUNNER_LIMITS as LIMITS, type StateScope } from "@drydock/protocol/runner";
import type { ApiContext, Handlers } from "./create-api.ts";
import { isSummary, readSummary } from "./read-summary.ts";
import { stateScopeKey } from "./state-scope-key.ts";
import { createValueParts, type ValuePart } from "./value-parts.ts";

/** Small values in four scopes, and data of the plugin or the workspace. */
export function storageHandlers(context: ApiContext): Handlers {
  const { plugin_storage, workspace_storage } = context.snapshot.resources.storage;
  const { plugin, workspaceId } = context.snapshot;
  const ofPlugin = plugin_storage ? ownedBy(context, `plugin:${plugin}`) : null;
  const ofWorkspace = workspace_storage ? ownedBy(context, `workspace:${workspaceId}:${plugin}`) : null;
  return {
    ...(context.snapshot.apis.state && stateHandlers(context)),
    ...(ofPlugin && {
      get_plugin_storage: ofPlugin.get,
      set_plugin_storage: ofPlugin.set,
      delete_plugin_storage: ofPlugin.remove,
      get_plugin_storage_keys: ofPlugin.keys,
    }),
    ...(ofWorkspace && {
      get_workspace_storage: ofWorkspace.get,
      set_workspace_storage: ofWorkspace.set,
      delete_workspace_storage: ofWorkspace.remove,
      get_workspace_storage_keys: ofWorkspace.keys,
    }),
  };
}

/** What a change of the state needs. */
export type StateAccess = Pick<ApiContext, "snapshot" | "event" | "facts" | "record">;

/** Sets a value of the state, after the same checks as a call of the API. */
export async function setState(
  context: StateAccess,
  { scope, key, value }: { scope: StateScope; key: string; value: unknown },
  by: "call" | "result",
): Promise<void> {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > LIMITS.stateValueBytes)
    throw new ApiError("payload_too_large", `A value of the state has at most ${LIMITS.stateValueBytes} bytes.`);
  if (!(await context.facts.values.set(ownerOf(context, scope), key, text, LIMITS.stateScopeBytes)))
    throw new ApiError("payload_too_large", `The state of a scope has at most ${LIMITS.stateScopeBytes} bytes.`);
  await context.record.append("state.changed", { scope, key, by });
}

function ownerOf({ snapshot, event }: Pick<StateAccess, "snapshot" | "event">, scope: StateScope): string {
  const { conversation, actor, subject } = event;
  const hasIdentity = {
    conversation: conversation?.conversation_id,
    actor: actor?.actor_id,
    subject: subject?.subject_id,
    runner: true,
  }[scope];
  if (!hasIdentity) throw new ApiError("invalid_argument", `The event has no ${scope}.`);
  if (!snapshot.stateScopes.includes(scope))
    throw new ApiError("unauthorized", `This run may not use the state of the scope ${scope}.`);
  return `state:${stateScopeKey(scope, snapshot, event)}`;
}

/** The values that have together no more than `maxBytes`. One that does not fit is left out, others after it are not. */
export function fitValues<Value extends { key: string; value: string }>(
  found: readonly Value[],
  maxBytes: number,
): Value[] {
  let left = maxBytes;
  return found.filter(({ key, value }) => {
    const bytes = Buffer.byteLength(key) + Buffer.byteLength(value);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

function stateHandlers(context: ApiContext): Handlers {
  const { values } = context.facts;
  return {
    state_get: async ({ scope, key }) => {
      const text = await values.get(ownerOf(context, scope), key);
      const value = text === null ? null : JSON.parse(text);
      return { value: isSummary(scope, key) ? await readSummary(context, value) : value };
    },
    state_set: async ({ scope, key, value }) => {
      await setState(context, { scope, key, value }, "call");
      return {};
    },
    state_delete: async ({ scope, key }) => {
      await values.delete(ownerOf(context, scope), key);
      return {};
    },
    state_list: async ({ scope, prefix }) => {
      const limit = LIMITS.stateListItems;
      const found = await values.list(ownerOf(context, scope), { prefix: prefix ?? "", limit: limit + 1 });
      const fitting = fitValues(found.slice(0, limit), LIMITS.stateScopeBytes);
      const items = [];
      for (const { key, value: text } of fitting) {
        const value = JSON.parse(text);
        if (!isSummary(scope, key) || (await readSummary(context, value))) items.push({ key, value });
      }
      return { items, has_more: found.length > fitting.length };
    },
  };
}

const MAX_KEYS = 1000;

function ownedBy({ facts }: ApiContext, owner: string) {
  const { values } = facts;
  const takePart = createValueParts();
  return {
    get: async ({ key }: { key: string }) => ({ value: await values.get(owner, key) }),
    set: async (part: ValuePart) => {
      const value = takePart(part);
      if (value !== null && !(await values.set(owner, part.key, value, LIMITS.storageBytes)))
        throw new ApiError(
          "payload_too_large",
          `All stored values have at most ${LIMITS.storageBytes} bytes in base64.`,
        );
      return {};
    },
    remove: async ({ key }: { key: string }) => {
      await values.delete(owner, key);
      return {};
    },
    keys: async () => ({ keys: await values.keys(owner, { limit: MAX_KEYS }) }),
  };
}
