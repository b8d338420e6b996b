import type { Operation } from "@drydock/protocol/http";
import type { TokenScope } from "../../../app/index.ts";

/** What changes who may do what: the owner's decisions, keys and programs. */
const OWNERS = /^\/(secrets|extensions|approvals|api\/profile)(\/|$)/;

/**
 * The least scope that an operation wants. `read`: looks at what is recorded. `run`: runs things within the policy, and
 * delivers their results. `admin`: decides, and holds secrets.
 */
export function scopeOf({ method, path }: Pick<Operation, "method" | "path">): TokenScope {
  if (path.startsWith("/secrets")) return "admin";
  if (method === "get") return "read";
  return OWNERS.test(path) && path !== "/extensions/lint" && path !== "/api/profile/propose" ? "admin" : "run";
}
