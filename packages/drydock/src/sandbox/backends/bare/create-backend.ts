import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describeInput, describeWork } from "../../describe-work.ts";
import type { RawExecution } from "../../execution.ts";
import { createFleet, crewFor, type Fleet } from "../../members/fleet.ts";
import { followMember } from "../../members/follow-member.ts";
import { TO_WARDEN } from "../../members/frames.ts";
import { sendSeed } from "../../members/send-seed.ts";
import type { Confinement } from "../../members/spawn-fork-server.ts";
import { noNetworkUse } from "../../network-use.ts";
import { lookForProject } from "../../project/add-project.ts";
import { cancelledBeforeStartError, openView } from "../../view/open-view.ts";
import type { Backend, BackendParts } from "../backend.ts";
import { checkBareRun } from "./check-run.ts";

/** Every run without a sandbox gets these notes: what does not hold for it. */
const UNCONFINED_NOTES: readonly string[] = [
  "this run was not contained: it ran without a sandbox, as the user of this process",
  "the network was not limited, and nothing is known of its use",
  "limits on processes, memory and disk were watched, not enforced",
];

const LANDLOCK_NOTES: readonly string[] = [
  "no namespaces: the run worked on a copy of the directory behind Landlock, without /proc, /tmp, sockets and shared memory",
  "it could see that files outside exist, and their sizes; as an ordinary user it could not change modes and times of its own",
  "limits on memory and disk were watched, not enforced",
];

const NO_PROJECT_NOTE =
  "project environment: not used, as without namespaces nothing can be mounted; toolchains are not, either";

/** Runs without namespaces, behind Landlock or unconfined. The workspace is copied, and changes are found by comparison. */
export function createBackend(
  confinement: Confinement,
  { fleetOptions: options, views, rulesOf, spool }: BackendParts,
): Backend {
  let opened: Fleet | undefined;

  function openFleet(): Fleet {
    if (!opened) {
      const directory = join(options.directory, confinement === "landlock" ? "l" : "u");
      mkdirSync(directory, { mode: 0o700 });
      opened = createFleet({ ...options, directory, confinement, warm: 0, early: undefined });
    }
    return opened;
  }

  return {
    async execute(request) {
      const { work, policy, base, signal, mounts = [] } = request;
      checkBareRun(confinement, policy, mounts);
      const view = await openView(views, request, rulesOf);
      const { input, asks } = describeInput(request);
      const message = {
        skip: [],
        workspace: view.workspace ? { path: view.workspace, hide: view.hide } : undefined,
        input,
        seed: base && true,
        code: { ...describeWork(work, policy, request.environment), asks },
      };
      await request.admit?.();
      const crew = crewFor(work.language, work.code);
      const { member } = await openFleet().take(crew === "data" ? "python" : crew);
      try {
        member.send([TO_WARDEN.request, JSON.stringify(message)]);
        if (base) await sendSeed(member, base, rulesOf(policy).hidden, signal);
        if (signal?.aborted) throw cancelledBeforeStartError();
        member.send([TO_WARDEN.code, Buffer.from(work.code.toWellFormed())]);
        const transcript = await followMember(member, { ...request, spool });
        const unused = lookForProject(request, rulesOf(policy).hidden) ? [NO_PROJECT_NOTE] : [];
        const network = noNetworkUse();
        return { transcript, view, base: base?.layer, network, ...describe(unused) };
      } finally {
        member.close();
      }
    },
    probe: async () => ({ level: confinement === "landlock" ? "landlock" : "none", levelReason: null }),
    async close() {
      await opened?.close();
    },
  };

  function describe(notes: readonly string[]): Pick<RawExecution, "report" | "notes"> {
    return confinement === "landlock"
      ? { report: { backend: "namespaces", level: "landlock" }, notes: [...LANDLOCK_NOTES, ...notes] }
      : { report: { backend: "unconfined", level: "none" }, notes: [...UNCONFINED_NOTES, ...notes] };
  }
}
