const IGNORED_IN_NAMES = /\p{Default_Ignorable_Code_Point}/gu;

/** Directories whose files a version control program obeys, and our own. */
const REPOSITORY_NAMES = new Set([".git", ".hg", ".jj", ".sl", ".drydock"]);
/** The short name that Windows gives to `.git`. */
const SHORT_GIT_NAME = /^git~\d+$/;

/**
 * The name as the most forgiving file system reads it. HFS+ and case-folding ext4 ignore case and invisible characters;
 * NTFS also drops dots and spaces at the end, and everything after a colon names a stream of the same file. A tree is
 * delivered on one machine and checked out on others, so names are compared in this form only.
 */
export function foldName(name: string): string {
  const plain = name.normalize("NFKC").replace(IGNORED_IN_NAMES, "").toLowerCase();
  return plain.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

/** Whether some file system takes the name for `.git` or its like. A backslash separates names on Windows. */
export function isRepositoryName(name: string): boolean {
  return name.split("\\").some((part) => {
    const folded = foldName(part);
    return REPOSITORY_NAMES.has(folded) || SHORT_GIT_NAME.test(folded);
  });
}
