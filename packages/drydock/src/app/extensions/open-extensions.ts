import { DrydockError } from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { CapabilityRunner } from "../../extensions/index.ts";
import type { Approvals, Extensions, Responses, Secrets } from "./api.ts";

/** Two words joined by a dot. Whatever begins like these is Drydock's own, now or later. */
const RUNNER_NAME = /^(?!(?:exec|api|python|node|browser|analyze)\.)[a-z][a-z0-9-]*\.[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

type Calls = Omit<Extensions, "registerRunner" | "queue" | "responses" | "approvals" | "secrets">;

/** All of it is there at once, and its code is loaded with the first call: most uses of a dock have none. */
export function openExtensions(load: () => Promise<Extensions>): Extensions {
  const registered = new Map<string, CapabilityRunner>();
  let opened: Extensions | undefined;
  let opening: Promise<Extensions> | undefined;
  const open = () => {
    opening ??= load().then((extensions) => {
      for (const [name, runner] of registered) extensions.registerRunner(name, runner);
      opened = extensions;
      return extensions;
    });
    return opening;
  };
  return {
    ...loadLater<Calls>(
      [
        ...(["list", "get", "lint", "scaffold", "add", "update", "enable", "disable", "remove"] as const),
        ...(["execute", "complete", "help", "tools", "history"] as const),
      ],
      open,
    ),
    registerRunner(name, runner) {
      if (!RUNNER_NAME.test(name) || typeof runner !== "function") throw refuseRunner(name);
      registered.set(name, runner);
      opened?.registerRunner(name, runner);
    },
    // Nobody waits where nothing was called yet.
    queue: { list: () => opened?.queue.list() ?? [], cancel: (runId) => opened?.queue.cancel(runId) ?? false },
    responses: loadLater<Responses>(
      ["last", "history", "read", "totals", "clear"],
      async () => (await open()).responses,
    ),
    approvals: loadLater<Approvals>(["list", "get", "approve", "deny"], async () => (await open()).approvals),
    secrets: loadLater<Secrets>(["set", "list", "remove"], async () => (await open()).secrets),
  };
}

function refuseRunner(name: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `${JSON.stringify(String(name).slice(0, 80))} can't be registered as a runner.`,
    "A runner is a function, and its name has two parts, like house.lights; names that begin with exec, api, python, " +
      "node, browser or analyze belong to Drydock.",
    { name: String(name).slice(0, 80) },
  );
}
