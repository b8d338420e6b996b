import type { CheckFinding } from "../../check-finding.ts";
import type { TreeEdit } from "../../judged-tree.ts";

/** What compilers and interpreters say of a file that they can't read, around the file's name and the line. */
const COMPLAINTS = [
  // C and its kin, Java, Go.
  (name: string) => new RegExp(String.raw`${name}:\d+(?::\d+)?: (?:fatal )?error: (?!Failure!)`),
  (name: string) => new RegExp(String.raw`${name}:\d+:\d+: [\s\S]*\[build failed\]`),
  // Rust.
  (name: string) => new RegExp(String.raw`error(?:\[E\d+\])?: [^\n]*\n\s*--> \S*${name}:\d+`),
  // Perl, Ruby, PHP, Lua, shells.
  (name: string) => new RegExp(String.raw`syntax error at \S*${name} line \d+|Global symbol [^\n]* at \S*${name} line`),
  (name: string) => new RegExp(String.raw`${name}:\d+: (?:syntax error|unexpected symbol|'\w+' expected)`),
  (name: string) => new RegExp(String.raw`(?:Parse|syntax) error[^\n]*${name} on line \d+`),
  (name: string) =>
    new RegExp(String.raw`${name}: (?:line )?\d+: (?:[^\n]*\b(?:syntax error|unexpected EOF)|Syntax error)`),
];
const OTHERS = /\.(py|[cm]?[jt]sx?|snap)$/;

/**
 * Whether a check failed because one of the edited files can't be compiled any more. Nothing is won by saying so falsely: a
 * control that does not count vouches for nothing.
 */
export function isBrokenBuild({ verdict, evidence }: CheckFinding, edits: readonly TreeEdit[]): boolean {
  if (verdict === "passed") return false;
  const output = [evidence.stdout, evidence.stderr].filter((text) => typeof text === "string").join("\n");
  return edits.some(({ path }) => {
    if (OTHERS.test(path)) return false;
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return COMPLAINTS.some((complaint) => complaint(name).test(output));
  });
}
