import { ApiError, type HostMethod, RUNNER_LIMITS, STATE_SCOPES, type StateScope } from "@drydock/protocol/runner";

type State = Record<StateScope, Record<string, unknown>>;
type Storage = Map<string, string>;
type Handlers = Partial<Record<HostMethod, (params: Record<string, unknown>) => unknown>>;

/** State and storage of a test: kept in memory, within the limits of a host. */
export interface MemoryHost {
  state: State;
  storage: { plugin: Storage; workspace: Storage };
  setState(scope: StateScope, key: string, value: unknown): void;
  handlers: Handlers;
}

export function createMemoryHost(initial: Partial<State>): MemoryHost {
  const state = Object.fromEntries(STATE_SCOPES.map((scope) => [scope, { ...initial[scope] }])) as State;
  const storage = { plugin: new Map<string, string>(), workspace: new Map<string, string>() };
  const setState = (scope: StateScope, key: string, value: unknown) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes > RUNNER_LIMITS.stateValueBytes)
      throw new ApiError("payload_too_large", `A value of ${bytes} bytes is too large for the state.`);
    state[scope][key] = value;
  };
  return {
    ...{ state, storage, setState },
    handlers: { ...stateHandlers(state, setState), ...storageHandlers(storage) },
  };
}

function stateHandlers(state: State, setState: MemoryHost["setState"]): Handlers {
  const values = (params: Record<string, unknown>) => state[params.scope as StateScope];
  return {
    state_get: (params) => ({ value: values(params)[String(params.key)] ?? null }),
    state_set: ({ scope, key, value }) => {
      setState(scope as StateScope, String(key), value);
      return {};
    },
    state_delete: (params) => {
      delete values(params)[String(params.key)];
      return {};
    },
    state_list: (params) => {
      const prefix = String(params.prefix ?? "");
      const found = Object.entries(values(params)).filter(([key]) => key.startsWith(prefix));
      const items = found.slice(0, RUNNER_LIMITS.stateListItems).map(([key, value]) => ({ key, value }));
      return { items, has_more: items.length < found.length };
    },
  };
}

function storageHandlers({ plugin, workspace }: MemoryHost["storage"]): Handlers {
  const get = (storage: Storage) => (params: Record<string, unknown>) => ({
    value: storage.get(String(params.key)) ?? null,
  });
  const set = (storage: Storage) => {
    /** Parts of values of this storage that are not whole yet. */
    const parts = new Map<string, string>();
    return (params: Record<string, unknown>) => {
      const { offset, total_bytes: total = null } = params;
      const key = String(params.key);
      const before = offset ? (parts.get(key) ?? "") : "";
      const value = before + String(params.value);
      const bytes = Buffer.byteLength(value, "base64");
      if (Math.max(bytes, Number(total)) > RUNNER_LIMITS.storageValueBytes)
        throw new ApiError("payload_too_large", "The value is too large for the storage.");
      if (total !== null && bytes < Number(total)) parts.set(key, value);
      else storage.set(key, value);
      return {};
    };
  };
  const remove = (storage: Storage) => (params: Record<string, unknown>) => {
    storage.delete(String(params.key));
    return {};
  };
  const keys = (storage: Storage) => () => ({ keys: [...storage.keys()] });
  return {
    get_plugin_storage: get(plugin),
    set_plugin_storage: set(plugin),
    delete_plugin_storage: remove(plugin),
    get_plugin_storage_keys: keys(plugin),
    get_workspace_storage: get(workspace),
    set_workspace_storage: set(workspace),
    delete_workspace_storage: remove(workspace),
    get_workspace_storage_keys: keys(workspace),
  };
}
