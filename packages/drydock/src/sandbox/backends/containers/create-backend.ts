import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BackendName, HOST_IMAGE } from "@drydock/protocol";
import { describeInput, describeWork } from "../../describe-work.ts";
import { createFleet, crewFor, type Fleet } from "../../members/fleet.ts";
import { followMember } from "../../members/follow-member.ts";
import { TO_WARDEN } from "../../members/frames.ts";
import { sendSeed } from "../../members/send-seed.ts";
import type { ContainerEngine } from "../../members/spawn-fork-server.ts";
import type { RunPreparation } from "../../prepare.ts";
import type { RunRequest } from "../../run-request.ts";
import { cancelledBeforeStartError } from "../../view/open-view.ts";
import type { Backend, BackendParts } from "../backend.ts";

/** Runs in containers of an engine, one for each run, started when its request is there. */
export function createBackend(engine: ContainerEngine & BackendName, command: string, parts: BackendParts): Backend {
  const { fleetOptions: options, preparer, rulesOf, spool } = parts;
  /** By image: a server makes the root that all of its containers see. */
  const fleets = new Map<string, Fleet>();

  function openFleet(image: string): Fleet {
    let fleet = fleets.get(image);
    if (!fleet) {
      const directory = join(options.directory, `c-${engine}-${fleets.size}`);
      mkdirSync(directory, { mode: 0o700 });
      const own = {
        confinement: engine,
        engine: { command, image: image === HOST_IMAGE ? null : image },
        warm: 0,
        early: undefined,
      };
      fleet = createFleet({ ...options, ...own, directory, instance: `${options.instance}-${engine}${fleets.size}` });
      fleets.set(image, fleet);
    }
    return fleet;
  }

  async function runInContainer(request: RunRequest, prepared: RunPreparation) {
    const { work, policy, base, signal, admit = async () => {} } = request;
    const { input, asks } = describeInput(request);
    const message = {
      ...prepared.warden,
      input,
      seed: base && true,
      code: {
        ...describeWork(work, policy, prepared.environment),
        ...prepared.code,
        asks,
        // The shell that runs bash code is the system's as well, not one that the project has.
        search: request.trusted || work.language === "bash" ? prepared.search : undefined,
      },
    };
    const crew = crewFor(work.language, work.code, prepared.environment);
    const { member, level } = await openFleet(policy.sandbox.image).take(crew === "data" ? "python" : crew);
    try {
      if (signal?.aborted) throw cancelledBeforeStartError();
      member.send([TO_WARDEN.request, JSON.stringify({ ...message, network: prepared.admit?.() })]);
      if (base) await sendSeed(member, base, rulesOf(policy).hidden, signal);
      if (signal?.aborted) throw cancelledBeforeStartError();
      await admit();
      member.send([TO_WARDEN.code, Buffer.from(work.code.toWellFormed())]);
      const transcript = await followMember(member, { ...request, spool });
      const { view, network, notes } = prepared;
      return { transcript, report: { backend: engine, level }, view, base: base?.layer, network, notes };
    } finally {
      member.close();
    }
  }

  return {
    async execute(request) {
      const prepared = await preparer.prepare(request);
      try {
        return await runInContainer(request, prepared);
      } finally {
        prepared.release();
      }
    },
    probe: () => openFleet(HOST_IMAGE).probe(),
    async close() {
      for (const fleet of fleets.values()) await fleet.close();
    },
  };
}
