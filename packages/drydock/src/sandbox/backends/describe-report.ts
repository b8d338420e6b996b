import type { BackendDescriptor } from "./backend.ts";
import { BACKEND_DESCRIPTORS } from "./registry.ts";

/** What may be known of a backend outside of the sandbox: everything but how to run something on it. */
export type BackendFacts = Omit<BackendDescriptor, "create">;

/** The backend that a result's report means. Undefined for a run that never began. */
export function describeReport(report: { backend: string; level: string }): BackendFacts | undefined {
  return BACKEND_DESCRIPTORS.find(({ backend, levels }) => {
    const isLevel = levels.length === 0 ? report.level === "none" : levels.some((level) => level === report.level);
    return backend === report.backend && isLevel;
  });
}
