import type { DoctorFinding } from "@drydock/protocol";
import { findEngine } from "../../find-engine.ts";
import type { ContainerEngine } from "../../members/spawn-fork-server.ts";
import type { BackendDescriptor, Reach } from "../backend.ts";
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
    create: (parts) => createBackend(engine, findEngine(program, parts.searchPath) ?? program, parts),
    steps: { file: "container/inside.py", list: "CONTAINER_CODE_STEPS" },
    doctor: {
      held: `held by containers of ${engine}, as the policy accepts.`,
      inspect: (searchPath) => [inspect(engine, findEngine(program, searchPath), remedy)],
      mention: (searchPath) => findEngine(program, searchPath) ?? `${program} is not installed`,
      explainReach,
    },
  };
}

function inspect(engine: ContainerEngine, found: string | undefined, remedy: string): DoctorFinding {
  const name = `${engine} engine`;
  if (process.getuid?.() !== 0) {
    return { name, state: "missing", detail: "only root can use it here", remedy: "Run as root, or use namespaces." };
  }
  if (found === undefined) return { name, state: "missing", detail: "it is not installed", remedy };
  return { name, state: "ok", detail: found };
}

function explainReach({ level, levelReason }: Reach): DoctorFinding[] {
  if (level === "cgroups") {
    return [{ name: "control groups", state: "ok", detail: "limits on memory and processes hold for a whole run" }];
  }
  return [{ name: "control groups", state: "missing", detail: levelReason ?? "not available", remedy: "Run as root." }];
}
