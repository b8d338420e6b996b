import { DrydockError, isReservedRunner, RUNNER_FAMILIES } from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { CapabilityRunner } from "../../extensions/index.ts";
import type { LiveExtensions } from "./create-extensions.ts";

/** Two words joined by a dot. */
const RUNNER_NAME = /^[a-z][a-z0-9-]*\.[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

/** All of it is there at once, and its code is loaded with the first call: most uses of a dock have none. */
export function openExtensions(load: () => Promise<LiveExtensions>): LiveExtensions {
  const registered = new Map<string, CapabilityRunner>();
  let opened: LiveExtensions | undefined;
  const later = loadLater(async () => {
    const extensions = await load();
    for (const [name, runner] of registered) extensions.registerRunner(name, runner);
    opened = extensions;
    return extensions;
  });
  return {
    list: later((extensions) => extensions.list),
    get: later((extensions) => extensions.get),
    lint: later((extensions) => extensions.lint),
    scaffold: later((extensions) => extensions.scaffold),
    add: later((extensions) => extensions.add),
    update: later((extensions) => extensions.update),
    enable: later((extensions) => extensions.enable),
    disable: later((extensions) => extensions.disable),
    remove: later((extensions) => extensions.remove),
    execute: later((extensions) => extensions.execute),
    complete: later((extensions) => extensions.complete),
    help: later((extensions) => extensions.help),
    tools: later((extensions) => extensions.tools),
    history: later((extensions) => extensions.history),
    replayCall: later((extensions) => extensions.replayCall),
    registerRunner(name, runner) {
      if (!RUNNER_NAME.test(name) || isReservedRunner(name) || typeof runner !== "function") throw refuseRunner(name);
      registered.set(name, runner);
      opened?.registerRunner(name, runner);
    },
    // There is no queue before the first call.
    queue: { list: () => opened?.queue.list() ?? [], cancel: (runId) => opened?.queue.cancel(runId) ?? false },
    responses: {
      last: later(({ responses }) => responses.last),
      history: later(({ responses }) => responses.history),
      read: later(({ responses }) => responses.read),
      totals: later(({ responses }) => responses.totals),
      clear: later(({ responses }) => responses.clear),
    },
    approvals: {
      list: later(({ approvals }) => approvals.list),
      get: later(({ approvals }) => approvals.get),
      approve: later(({ approvals }) => approvals.approve),
      deny: later(({ approvals }) => approvals.deny),
    },
    secrets: {
      set: later(({ secrets }) => secrets.set),
      list: later(({ secrets }) => secrets.list),
      remove: later(({ secrets }) => secrets.remove),
    },
  };
}

function refuseRunner(name: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `${JSON.stringify(String(name).slice(0, 80))} can't be registered as a runner.`,
    "A runner is a function, and its name has two parts, like house.lights; names that begin with " +
      `${RUNNER_FAMILIES.slice(0, -1).join(", ")} or ${RUNNER_FAMILIES.at(-1)} belong to Drydock.`,
    { name: String(name).slice(0, 80) },
  );
}
