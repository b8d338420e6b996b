/** Directories below a home that hold credentials, or the state of programs that do. */
const PRIVATE =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.config|\.password-store|\.mozilla|\.thunderbird|keyrings)(\/|$)/;

/** Whether a path leads to credentials. */
export function isPrivatePlace(path: string): boolean {
  return PRIVATE.test(path);
}

/** What is wrong with one entry of `sandbox.toolchains`, or null. Where it leads is looked at when a run starts. */
export function describeToolchainProblem(entry: string): string | null {
  if (!/^(?:~\/|\/)/.test(entry)) return "is not a path: write an absolute one, or one that begins with ~/";
  const parts = entry.split("/").slice(1);
  if (/\p{Cc}/u.test(entry)) return "has a control character in it";
  if (parts.some((part) => part === "." || part === "..")) return "has . or .. in it: write the path itself";
  if (parts.every((part) => part === "")) return "is not a toolchain: name a directory below it";
  if (isPrivatePlace(entry)) return "holds credentials, or the state of programs that do";
  return null;
}
