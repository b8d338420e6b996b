import type { AutorunFile, DrydockError, ErrorInfo } from "@drydock/protocol";

/** The files that a refused delivery names because they run by themselves; none for every other error. */
export function readAutorun(error: unknown): readonly AutorunFile[] {
  const { code, data, ...info }: Partial<DrydockError> & Partial<ErrorInfo> = Object(error);
  if (code !== "policy.approval_denied") return [];
  const files = (data as DrydockError["data"] | undefined)?.autorun ?? info.autorun;
  return Array.isArray(files) ? files : [];
}
