import { setTimeout as pause } from "node:timers/promises";
import type { EffectivePolicy } from "@drydock/protocol";
import { checkLevel } from "../../check-level.ts";
import { describeInput, describeWork, isPlain } from "../../describe-work.ts";
import type { RawExecution } from "../../execution.ts";
import type { LiveOptions } from "../../live/live-link.ts";
import { crewFor } from "../../members/fleet.ts";
import { followMember } from "../../members/follow-member.ts";
import { TO_WARDEN } from "../../members/frames.ts";
import type { Member } from "../../members/member.ts";
import { sendSeed } from "../../members/send-seed.ts";
import { listOwnModules } from "../../own-modules.ts";
import type { RunPreparation } from "../../prepare.ts";
import type { RunRequest } from "../../run-request.ts";
import { cancelledBeforeStartError } from "../../view/open-view.ts";
import type { View } from "../../view/view.ts";
import type { Backend, BackendParts } from "../backend.ts";

const UNHEARD_MS = 1000;
/** When one member died, the reports of other deaths arrive within this time. */
const NEWS_MS = 50;

/** Runs in namespaces of their own, in members of the warm pool: the usual backend. */
export function createBackend(parts: BackendParts): Backend {
  const { fleet, preparer, rulesOf, spool, isSingleRun, activity } = parts;

  async function runOnMember(request: RunRequest, prepared: RunPreparation): Promise<RawExecution> {
    const { work, policy, base, signal, admit = async () => {} } = request;
    const crew = crewFor(work.language, work.code, prepared.environment);
    // While a member is built there is time to record the run.
    if (!fleet.isReady(crew)) admit().catch(() => {});
    const beside = crew === "data" ? listOwnModules(prepared.view.workspace, work.filename, base?.layer) : [];
    const { input, asks } = describeInput(request);
    const message = {
      ...prepared.warden,
      input,
      seed: base && true,
      live: request.live && true,
      terminal: request.live?.terminal,
      code: {
        ...describeWork(work, policy, prepared.environment, request),
        ...prepared.code,
        asks,
        // The shell that runs bash code is the system's as well, not one that the project has.
        search: request.trusted || work.language === "bash" ? prepared.search : undefined,
      },
    };
    const plain = isPlain(message) && work.language !== "node";
    const use = plain ? nameUse(request, prepared) : undefined;
    const { member, level, refill, giveBack } = await fleet.take(crew, [...beside, ...prepared.modules], use);
    let goesOn = false;
    activity.underWay++;
    try {
      checkLevel(level, policy);
      if (signal?.aborted) throw cancelledBeforeStartError();
      // The code's own process reads a plain request: what the proxy knows the run by is told later, to others, if at all.
      const asked = { ...message, network: plain ? prepared.admit && true : prepared.admit?.() };
      member.send([plain ? TO_WARDEN.plain : TO_WARDEN.request, JSON.stringify(asked)]);
      if (base) await sendSeed(member, base, rulesOf(policy).hidden, signal);
      if (signal?.aborted) throw cancelledBeforeStartError();
      const { view, network, notes } = prepared;
      const live = request.live && (await openLive(member, request.live, { request, view, rulesOf }));
      await admit();
      member.send([TO_WARDEN.code, Buffer.from(work.code.toWellFormed())]);
      // Nothing may come between: what the member says while nobody listens is lost.
      const following = followMember(member, { ...request, spool, wayOut: prepared.admit, link: live?.link });
      live?.begin();
      const transcript = await following;
      // Who was told to stop may have been told too late: nobody knows what it still reads.
      goesOn = use !== undefined && transcript.done?.reusable === true && !signal?.aborted;
      const reused = transcript.done?.reused;
      return { transcript, report: { backend: "namespaces", level, reused }, view, base: base?.layer, network, notes };
    } finally {
      activity.underWay--;
      if (!goesOn) member.close();
      setImmediate(() => {
        if (use !== undefined && goesOn) giveBack(use);
        refill();
      });
    }
  }

  return {
    async execute(request) {
      const prepared = await preparer.prepare(request);
      try {
        const since = performance.now();
        const first = await runOnMember(request, prepared);
        const unheard = performance.now() - since < UNHEARD_MS && isUnheard(first, request);
        // The fork server ends while the result is recorded.
        if (!unheard && isSingleRun) void fleet.close();
        if (!unheard) return first;
        await pause(NEWS_MS);
        return await runOnMember(request, prepared);
      } finally {
        prepared.release();
      }
    },
    probe: () => fleet.probe(),
    close: () => fleet.close(),
  };
}

/** Most runs are not live, and do not load the code for it. */
async function openLive(
  member: Member,
  live: LiveOptions,
  { request, view, rulesOf }: { request: RunRequest; view: View } & Pick<BackendParts, "rulesOf">,
) {
  const [{ createLiveLink }, { createLiveRun }] = await Promise.all([
    import("../../live/live-link.ts"),
    import("../../live/live-run.ts"),
  ]);
  const link = createLiveLink(member, live);
  const { hidden } = rulesOf(request.policy);
  const run = createLiveRun({ member, link, view, base: request.base?.layer, hidden, signal: request.signal });
  return { link, begin: () => live.onReady(run) };
}

/** Policies that were resolved are frozen and come again: each is spelled once. */
const spelled = new WeakMap<EffectivePolicy, string>();

/** Runs with the same name may have a slot one after the other: all but the code of their requests is the same. */
function nameUse({ policy, reuseFor }: RunRequest, { environment }: RunPreparation): string | undefined {
  const mayReuse = reuseFor !== undefined && policy.sandbox.reuse;
  return mayReuse ? JSON.stringify([reuseFor, spellPolicy(policy), environment]) : undefined;
}

function spellPolicy(policy: EffectivePolicy): string {
  const known = spelled.get(policy);
  if (known !== undefined) return known;
  const text = JSON.stringify(policy);
  if (Object.isFrozen(policy)) spelled.set(policy, text);
  return text;
}

/**
 * A member that was dead before anybody noticed takes a request with it. If it produced nothing, here or on the network,
 * and its input can be sent again, a second try can't be distinguished from a first.
 */
function isUnheard({ transcript, network }: RawExecution, { stdin, signal }: RunRequest): boolean {
  if (transcript.done !== null || transcript.hasAsked || signal?.aborted) return false;
  if (stdin !== undefined && typeof stdin !== "string" && !(stdin instanceof Uint8Array)) return false;
  const heard = [transcript.stdout, transcript.stderr, transcript.figures, transcript.changes];
  return [...heard, network.refused, network.connected, network.requests].every((list) => list.length === 0);
}
