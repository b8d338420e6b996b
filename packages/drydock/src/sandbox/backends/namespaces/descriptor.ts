import { existsSync, readFileSync } from "node:fs";
import type { DoctorFinding } from "@drydock/protocol";
import type { BackendDescriptor, Reach } from "../backend.ts";
import { createBackend } from "./create-backend.ts";

export const descriptors: readonly BackendDescriptor[] = [
  {
    backend: "namespaces",
    levels: ["cgroups", "rlimits"],
    isFallback: false,
    create: createBackend,
    steps: { file: "contain/steps.py", list: "CODE_STEPS" },
    doctor: {
      held: "held by namespaces, as the policy accepts.",
      inspect: () => [checkUserNamespaces()],
      explainReach,
    },
  },
];

function explainReach({ level, levelReason }: Reach): DoctorFinding[] {
  if (level === "cgroups") {
    const detail = "limits on memory and processes hold for a whole run";
    return [{ name: "control groups", state: "ok", detail }];
  }
  const remedy = "Run as root to enforce limits for each run as a whole. Otherwise they are checked per process.";
  return [{ name: "control groups", state: "limited", detail: levelReason ?? "not available", remedy }];
}

function checkUserNamespaces(): DoctorFinding {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim() : undefined);
  if (read("/proc/sys/user/max_user_namespaces") === "0") {
    return {
      name: "user namespaces",
      state: "missing",
      detail: "user.max_user_namespaces is 0",
      remedy: "sysctl -w user.max_user_namespaces=10000",
    };
  }
  if (process.getuid?.() !== 0 && read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return {
      name: "user namespaces",
      state: "missing",
      detail: "AppArmor forbids them to ordinary users",
      remedy: "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root",
    };
  }
  if (process.getuid?.() !== 0 && read("/proc/sys/kernel/unprivileged_userns_clone") === "0") {
    return {
      name: "user namespaces",
      state: "missing",
      detail: "the kernel forbids them to ordinary users",
      remedy: "sysctl -w kernel.unprivileged_userns_clone=1, or run as root",
    };
  }
  const inContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv");
  return { name: "user namespaces", state: "ok", detail: inContainer ? "allowed (inside a container)" : "allowed" };
}
