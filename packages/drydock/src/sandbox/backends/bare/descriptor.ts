import type { BackendDescriptor } from "../backend.ts";
import { createBackend } from "./create-backend.ts";

const NOTHING_TO_TELL = { inspect: () => [], explainReach: () => [] };

export const descriptors: readonly BackendDescriptor[] = [
  {
    backend: "namespaces",
    levels: ["landlock"],
    isFallback: true,
    create: (parts) => createBackend("landlock", parts),
    steps: { file: "contain/bare_steps.py", list: "LANDLOCK_CODE_STEPS" },
    doctor: { held: "only Landlock is available, which the policy accepts.", ...NOTHING_TO_TELL },
  },
  {
    backend: "unconfined",
    levels: [],
    isFallback: false,
    create: (parts) => createBackend("none", parts),
    steps: { file: "contain/bare_steps.py", list: "UNCONFINED_CODE_STEPS" },
    doctor: { held: "without a sandbox.", ...NOTHING_TO_TELL },
  },
];
