import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DrydockError, type EffectivePolicy } from "@drydock/protocol";
import { createFleet, crewFor, type Fleet, type FleetOptions } from "../fleet.ts";
import { TO_WARDEN } from "../members/frames.ts";
import type { Member } from "../members/member.ts";
import type { Confinement } from "../members/spawn-fork-server.ts";
import type { Shelf } from "../resolve-shelves.ts";
import { type Attention, attendMember, type Transcript } from "../run-on-member.ts";

/** What a member without namespaces is asked for. The directory is copied for it, and what it did found by comparison. */
interface BareRun extends Attention {
  confinement: Confinement;
  code: { language: string; text: string };
  /** The request, in the warden's words. */
  request: Record<string, unknown>;
  /** Sends what lies on the directory when the run begins. */
  seed?: (member: Member) => Promise<void>;
}

/** Runs without namespaces: behind Landlock, or behind nothing at all. */
interface BareRuns {
  run(run: BareRun): Promise<Transcript>;
  close(): Promise<void>;
}

export function createBareRuns(options: FleetOptions): BareRuns {
  const fleets = new Map<Confinement, Fleet>();

  function fleetOf(confinement: Confinement): Fleet {
    let fleet = fleets.get(confinement);
    if (!fleet) {
      const directory = join(options.directory, confinement === "landlock" ? "l" : "u");
      mkdirSync(directory, { mode: 0o700 });
      fleet = createFleet({ ...options, directory, confinement, warm: 0, early: undefined });
      fleets.set(confinement, fleet);
    }
    return fleet;
  }

  return {
    async run({ confinement, code, request, seed, ...attention }) {
      const crew = crewFor(code.language, code.text);
      const { member } = await fleetOf(confinement).take(crew === "data" ? "python" : crew);
      try {
        member.send([TO_WARDEN.request, JSON.stringify(request)]);
        await seed?.(member);
        if (attention.signal?.aborted)
          throw new DrydockError(
            "run.cancelled",
            "The run was cancelled before it started.",
            "Start it again when you want it.",
          );
        member.send([TO_WARDEN.code, Buffer.from(code.text.toWellFormed())]);
        return await attendMember(member, attention);
      } finally {
        member.close();
      }
    },
    async close() {
      await Promise.all([...fleets.values()].map((fleet) => fleet.close()));
    },
  };
}

/** A run that was asked to go without a sandbox says so, every time, and says what else does not hold. */
export const UNCONFINED_NOTES: readonly string[] = [
  "this run was not contained: it ran without a sandbox, as the user of this process",
  "the network was not limited, and nothing is known of its use",
  "limits on processes, memory and disk were watched, not enforced",
];

export const LANDLOCK_NOTES: readonly string[] = [
  "no namespaces: the run worked on a copy of the directory behind Landlock, without /proc, /tmp, sockets and shared memory",
  "it could see that files outside exist, and their sizes; as an ordinary user it could not change modes and times of its own",
  "limits on memory and disk were watched, not enforced",
];

export const NO_PROJECT_NOTE =
  "project environment: not used, as without namespaces nothing can be mounted; toolchains are not, either";

/** What there are no means for without namespaces is refused, not left out. */
export function checkBareRun(confinement: Confinement, policy: EffectivePolicy, shelves: readonly Shelf[]): void {
  const [shelf] = shelves;
  if (shelf) throw shelfDenied(confinement, shelf);
  if (confinement === "none" || policy.network.allow.length === 0) return;
  throw new DrydockError(
    "sandbox.level",
    'The run wants the network, and at the level "landlock", which is all that this machine gives, there is none.',
    "Run it without the network, or where namespaces can be made: `drydock doctor` says what is missing.",
    { wanted: "rlimits", reached: "landlock" },
  );
}

function shelfDenied(confinement: Confinement, { source, target }: Shelf): DrydockError {
  const landlock = confinement === "landlock";
  return new DrydockError(
    "sandbox.level",
    landlock
      ? `The run wants ${source} at ${target}, and at the level "landlock", which is all that this machine gives, nothing can be mounted.`
      : `The run wants ${source} at ${target}, and without a sandbox nothing can be mounted.`,
    landlock
      ? "Run it where namespaces can be made: `drydock doctor` says what is missing."
      : "Run it in the sandbox (without `unconfined`).",
    { wanted: "rlimits", reached: landlock ? "landlock" : "none" },
  );
}
