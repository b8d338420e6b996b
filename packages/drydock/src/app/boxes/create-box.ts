import { randomBytes } from "node:crypto";
import type { BoxInfo } from "@drydock/protocol";
import type { ToolHost } from "../../tasks/index.ts";
import { type BoxServers, createBoxServers } from "./box-servers.ts";
import type { MountedSkills } from "./mount-skills.ts";
import type { OpenedBox } from "./open-box.ts";
import { startInBox } from "./start-in-box.ts";

/** A box that is there for somebody's calls. */
export interface Box {
  readonly id: string;
  readonly opened: OpenedBox;
  readonly servers: BoxServers;
  /** Those that are mounted in it. */
  readonly skills: MountedSkills["skills"];
  info(): BoxInfo;
  /** Changes, one after the other in the order of the calls. */
  inTurn<T>(action: () => Promise<T>): Promise<T>;
  touch(): void;
  /** It is in use until the function that this returns is called. */
  hold(): () => void;
  /** Resolves when it has ended, and its files are kept for the next one. */
  readonly settled: Promise<void>;
}

interface BoxParts extends Pick<BoxInfo, "agent" | "scope"> {
  opened: OpenedBox;
  mounted: MountedSkills;
  /** For MCP servers that run in it. */
  host: ToolHost;
  /** Called when it has ended. */
  settle(): Promise<void>;
}

export function createBox({ opened, agent, scope, mounted, host, settle }: BoxParts): Box {
  const id = `box_${Date.now().toString(36)}${randomBytes(10).toString("hex")}`;
  const createdAt = new Date().toISOString();
  const idleMs = opened.resolved.effective.sessions.idleSeconds * 1000;
  const skills = [...mounted.skills.keys()];
  let lastUsedAt = createdAt;
  let turn: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let timer: NodeJS.Timeout | undefined;
  const touch = () => {
    lastUsedAt = new Date().toISOString();
    clearTimeout(timer);
    timer = setTimeout(() => void (calls === 0 ? opened.stop() : touch()), idleMs).unref();
  };
  touch();
  const hold = () => {
    calls++;
    touch();
    return () => {
      calls--;
      touch();
    };
  };
  const over = new AbortController();
  const servers = createBoxServers({
    runId: opened.runId,
    host: { ...host, exec: (request) => startInBox(opened, request) },
    over: over.signal,
  });
  const settled = opened.ended
    .finally(() => {
      over.abort();
      servers.close();
    })
    .then(settle)
    .catch(() => {})
    .finally(() => clearTimeout(timer));
  return {
    ...{ id, opened, touch, settled, skills: mounted.skills, servers },
    info: () => ({
      ...{ id, agent, scope, runId: opened.runId, createdAt, lastUsedAt },
      ...{ skills, servers: servers.list(), warnings: mounted.warnings },
    }),
    hold,
    inTurn(action) {
      const release = hold();
      const next = turn.then(action).finally(release);
      turn = next.catch(() => {});
      return next;
    },
  };
}
