import { countWord, DrydockError, type HostAgent, type HostEvent } from "@drydock/protocol";
import { createToolHost } from "../agents/index.ts";
import { execute } from "../execute/index.ts";
import { readHomeConfig } from "../models/index.ts";
import { createPolicyViews } from "../policies/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { Skills } from "../skills/api.ts";
import type { Boxes } from "./api.ts";
import { createBoxFiles } from "./box-files.ts";
import { type Box, createBox } from "./create-box.ts";
import { keepFiles, readKeptFiles } from "./kept-files.ts";
import { mountSkills } from "./mount-skills.ts";
import { openBox } from "./open-box.ts";
import { openTerminal } from "./open-terminal.ts";
import { type ScopeKey, scopeKey } from "./scope-key.ts";

export interface BoxPorts extends ExecPorts {
  home: string;
  skills: Pick<Skills, "stage">;
}

export interface LiveBoxes extends Boxes {
  find(id: string): Box;
  /** The box of the event's scope, opened where there is none. */
  enter(request: { agent: HostAgent; event: HostEvent; signal: AbortSignal }): Promise<Box>;
  closeAll(): Promise<void>;
}

interface Held {
  key: string;
  agent: string;
  opening: Promise<Box>;
}

/**
 * Boxes by their key.
 *
 *     opening -> open -> ended (on request, idle too long, by a limit, or with the dock)
 *
 * The files of one that has ended are those of the next one with the same key.
 */
export function createBoxes(ports: BoxPorts): LiveBoxes {
  const { ledger } = ports;
  const views = createPolicyViews(ports.policies, ports.own);
  const host = createToolHost({ exec: (request) => execute(ports, request), policies: views });
  const held = new Map<string, Held>();
  const open = new Map<string, Box>();
  let isClosed = false;

  async function start(agent: HostAgent, scope: ScopeKey): Promise<Box> {
    const facts = await ledger.openHost();
    const { key, text } = scope;
    const mounted = await mountSkills(ports.skills, agent);
    const warnings = [...mounted.warnings];
    const opened = await openBox(ports, {
      ...{
        agent: agent.name,
        scope: text,
        workspace: agent.box.workspace,
        policy: agent.box.policy,
        mounts: mounted.mounts,
      },
      async readFiles(place) {
        const kept = await readKeptFiles(ports, facts, { key, ...place });
        if (kept.warning !== null) warnings.push(kept.warning);
        return kept.layer;
      },
    });
    const box = createBox({
      opened,
      host,
      agent: agent.name,
      scope: text,
      mounted: { ...mounted, warnings },
      settle: () => keepFiles(facts, key, opened.runId),
    });
    open.set(box.id, box);
    void box.settled.then(() => {
      open.delete(box.id);
      held.delete(key);
    });
    return box;
  }

  function find(id: string): Box {
    const found = open.get(id);
    if (found) return found;
    const hint = "`GET /boxes` lists those that are open.";
    throw new DrydockError("session.not_found", `There is no box ${id} here.`, hint, { box: id });
  }

  return {
    files: createBoxFiles(find),
    openTerminal: async (id, options) => openTerminal(find(id), options),
    list: async () => [...open.values()].map((box) => box.info()),
    find,
    async enter({ agent, event, signal }) {
      if (isClosed) throw new DrydockError("run.cancelled", "The dock is closed.", "Open it again.");
      const { boxes: settings } = await readHomeConfig(ports.home);
      if (settings?.enabled === false) throw switchedOff();
      const scope = scopeKey(agent.id, settings?.scope ?? agent.box.scope, event);
      const { ceiling } = await ports.policies.resolve({ workspace: null });
      // From the last look at `held` on nothing is awaited: of two callers at once, one opens the box, and both have it.
      for (;;) {
        signal.throwIfAborted();
        const one = held.get(scope.key);
        if (!one) break;
        const box = await one.opening;
        if (!box.opened.isOver) {
          box.touch();
          return box;
        }
        // The next one begins with its files, which are on record when it has ended.
        await box.settled;
      }
      if (held.size >= ceiling.sessions.live) throw tooMany(held.size);
      const opening = start(agent, scope);
      held.set(scope.key, { key: scope.key, agent: agent.name, opening });
      opening.catch(() => held.delete(scope.key));
      return opening;
    },
    async close(id) {
      const box = find(id);
      const info = box.info();
      box.opened.stop();
      await box.settled;
      return info;
    },
    async closeAll() {
      isClosed = true;
      await Promise.allSettled(
        [...held.values()].map(async ({ opening }) => {
          const box = await opening;
          box.opened.stop();
          await box.settled;
        }),
      );
    },
  };
}

function switchedOff(): DrydockError {
  return new DrydockError(
    "policy.command_denied",
    "The tools of boxes are switched off on this host.",
    "The owner switches them on in config.yaml: boxes: { enabled: true }.",
  );
}

function tooMany(open: number): DrydockError {
  return new DrydockError(
    "session.limit",
    `${countWord(open, "box is", "boxes are")} open, and the policy allows no more.`,
    "Wait until one is idle, close one, or raise the limit: `drydock policy set sessions.live.max 256`.",
  );
}
