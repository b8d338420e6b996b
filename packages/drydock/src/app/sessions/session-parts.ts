import { randomBytes } from "node:crypto";
import type { EffectivePolicy, SessionInfo } from "@drydock/protocol";
import type { SessionEndReason } from "../../ledger/index.ts";
import type { Mount, SandboxSession } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { Session, SessionOptions } from "./api.ts";

export type CloseSession = (reason: SessionEndReason) => Promise<void>;

/** Events that the list of all sessions counts. */
export interface SessionHooks {
  /** Fails where so many sessions more would be too many. To be called when they are there, or will not be. */
  admit(count: number): Disposable;
  /** `close` ends it, and resolves once that is recorded. */
  onOpened(session: Session, parts: Pick<SessionParts, "options" | "place">, close: CloseSession): void;
  /** `recorded` resolves once its end is on record. */
  onClosed(id: string, recorded: Promise<void>): void;
}

export interface SessionPlace {
  policy: EffectivePolicy;
  /** As `resolveWorkspace` gives it. */
  workspace: string | null;
  /** What it sees beside the workspace. */
  packages?: SessionPackages;
}

/** Python packages of a session. They are for other use cases only: no caller outside can set them. */
export interface SessionPackages {
  /** What was asked for, as the record has it. */
  requirements: readonly string[];
  mounts: readonly Mount[];
  environment: Record<string, string>;
}

/** What a session is made of, and a fork of it is made of again. */
export interface SessionParts {
  ports: ExecPorts;
  options: Pick<SessionOptions, "language" | "policy" | "preset">;
  place: SessionPlace;
  hooks: SessionHooks;
}

/** Where a session begins: nowhere, or at a step of the one that it is a copy of. */
export interface SessionOrigin {
  id: string;
  live: SandboxSession;
  steps: number;
  looks: number;
  forkedFrom: SessionInfo["forkedFrom"];
  /** Names and types of the variables after each step. */
  variables: Map<number, SessionInfo["variables"]>;
}

/** A session as its requests find it and leave it. */
export interface SessionState extends SessionOrigin {
  memoryBytes: number;
  cpuMs: number;
  /** The session goes on in this interpreter. */
  attach(live: SandboxSession): void;
}

export function newSessionId(): string {
  return `ses_${Date.now().toString(36)}${randomBytes(10).toString("hex")}`;
}
