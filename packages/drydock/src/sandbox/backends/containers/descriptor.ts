import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { ContainerEngine } from "../../members/spawn-fork-server.ts";
import type { BackendDescriptor, DoctorFinding, Reach } from "../backend.ts";
import { createBackend } from "./create-backend.ts";

/** What has to be there before an engine can be tried. */
const ENGINES: Record<ContainerEngine, { program: string; remedy: string }> = {
  gvisor: { program: "runsc", remedy: "Install gVisor: apt-get install runsc" },
  podman: { program: "podman", remedy: "Install podman: apt-get install podman crun" },
  docker: { program: "docker", remedy: "Install Docker, start its daemon, and run as root." },
};

export const descriptors: readonly BackendDescriptor[] = (["gvisor", "podman", "docker"] as const).map(describe);

function describe(engine: ContainerEngine): BackendDescriptor {
  const { program, remedy } = ENGINES[engine];
  return {
    backend: engine,
    levels: ["cgroups"],
    isFallback: false,
    create: (parts) => createBackend(engine, program, parts),
    steps: { file: "container/inside.py", list: "CONTAINER_CODE_STEPS" },
    doctor: {
      held: `held by containers of ${engine}, as the policy accepts.`,
      inspect: () => [inspect(engine, program, remedy)],
      explainReach,
    },
  };
}

function inspect(engine: ContainerEngine, program: string, remedy: string): DoctorFinding {
  const name = `${engine} engine`;
  if (process.getuid?.() !== 0) {
    return { name, state: "missing", detail: "only root can use it here", remedy: "Run as root, or use namespaces." };
  }
  const found = findProgram(program);
  if (found === undefined) return { name, state: "missing", detail: `${program} is not installed`, remedy };
  return { name, state: "ok", detail: found };
}

function explainReach({ level, levelReason }: Reach): DoctorFinding[] {
  if (level === "cgroups") {
    return [{ name: "control groups", state: "ok", detail: "limits on memory and processes hold for a whole run" }];
  }
  return [{ name: "control groups", state: "missing", detail: levelReason ?? "not available", remedy: "Run as root." }];
}

/** As the server looks for it: in the directories of the system. */
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function findProgram(name: string): string | undefined {
  return SYSTEM_PATH.split(delimiter)
    .map((directory) => join(directory, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
