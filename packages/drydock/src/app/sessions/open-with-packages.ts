import { DrydockError } from "@drydock/protocol";
import type { Environments } from "../packages/index.ts";
import type { Session, SessionOptions } from "./api.ts";
import type { LiveSessions } from "./create-sessions.ts";

/** A session that finds Python packages of its own. */
export async function openWithPackages(
  sessions: LiveSessions,
  environments: () => Promise<Environments>,
  { requirements: wanted, install, ...options }: SessionOptions,
): Promise<Session> {
  if (wanted === undefined) {
    const hint = "Name the packages with `requirements`, or leave `install` out.";
    throw new DrydockError("input.invalid", "There is nothing to install.", hint);
  }
  if (options.language === "node") {
    const hint = "Leave `requirements` out.";
    throw new DrydockError("input.invalid", "Requirements are Python packages, and the session is Node's.", hint);
  }
  const { readRequirements } = await import("../packages/index.ts");
  const requirements = await readRequirements(wanted);
  const { policy, workspace = null, signal } = options;
  const found = await (await environments()).open({ requirements, install, policy, workspace, signal });
  return sessions.open(options, { ...found, requirements });
}
