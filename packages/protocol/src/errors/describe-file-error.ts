const REASONS: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EISDIR: "it is a directory",
  EACCES: "its permissions do not allow it",
  EPERM: "its permissions do not allow it",
  EROFS: "it lies on a file system that is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ELOOP: "its symbolic links go in circles",
};

/** Why a file can't be read or written, for people. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
