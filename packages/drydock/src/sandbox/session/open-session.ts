import { DrydockError } from "@drydock/protocol";
import { checkLevel } from "../check-level.ts";
import { describeGuard, describeLimits } from "../describe-work.ts";
import type { Crew, Fleet } from "../members/fleet.ts";
import { TO_WARDEN } from "../members/frames.ts";
import { listOwnModules } from "../own-modules.ts";
import type { Preparer } from "../prepare.ts";
import type { RunSetup } from "../run-request.ts";
import { createLiveSession, type LiveSession, type SandboxSession, type SessionLanguage } from "./live-session.ts";

interface SessionPorts {
  fleet: Fleet;
  preparer: Preparer;
  spool: string;
}

export async function openSession(
  ports: SessionPorts,
  request: RunSetup & { language: SessionLanguage },
): Promise<SandboxSession> {
  const { language, policy } = request;
  const prepared = await ports.preparer.prepare(request);
  const crew: Crew = language === "node" ? "node" : prepared.environment.PYTHONPATH ? "python" : "data";
  const ownModules = crew === "data" ? listOwnModules(prepared.view.workspace, undefined, undefined) : [];
  const { member, level, refill, connectForks } = await ports.fleet
    .take(crew, [...ownModules, ...prepared.modules])
    .catch((error) => {
      prepared.release();
      throw error;
    });
  const parts = { member, language, level, prepared, spool: ports.spool, connectForks, onOver: refill };
  const session = createLiveSession(parts);
  try {
    checkLevel(level, policy);
    await start(session);
  } catch (error) {
    session.close();
    throw error;
  }
  return session;

  async function start({ follow }: LiveSession): Promise<void> {
    const code = {
      mode: "session",
      limits: describeLimits(policy),
      environment: prepared.environment,
      guard: describeGuard(policy),
      ...prepared.code,
    };
    const { done } = await follow([
      [TO_WARDEN.request, JSON.stringify({ ...prepared.warden, network: prepared.admit?.(), input: false, code })],
      [TO_WARDEN.code, ""],
    ]);
    if (done?.ending.kind === "opened") return;
    throw new DrydockError(
      "sandbox.unavailable",
      `The session could not be opened: ${done?.ending.reason ?? "its process is gone"}`,
      "Run `drydock doctor`: it says what this machine can do.",
      { unheard: !done },
    );
  }
}
