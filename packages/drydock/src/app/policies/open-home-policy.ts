import { loadLater } from "../../base/lazy/index.ts";
import type { HomePolicy } from "./api.ts";
import type { HomePolicyPorts } from "./home-policy.ts";

/** Its code is loaded with its first use: most processes never edit a policy. */
export function openHomePolicy(ports: HomePolicyPorts): HomePolicy {
  const later = loadLater(async () => (await import("./home-policy.ts")).createHomePolicy(ports));
  return {
    ask: later((policy) => policy.ask),
    read: later((policy) => policy.read),
    check: later((policy) => policy.check),
    save: later((policy) => policy.save),
  };
}
