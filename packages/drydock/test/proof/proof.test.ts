import type { ProofCase } from "./case.ts";
import { FALSE_KINDS } from "./false-changes.ts";
import { HONEST_KINDS } from "./honest-changes.ts";
import { judgeCases } from "./judge-cases.ts";

/** Of each kind the plainest row, each of them a whole goal: the others are variants, which `npm run soak` tries as well. */
const plainest = (kinds: readonly (readonly ProofCase[])[]) => kinds.flatMap((rows) => rows.slice(0, 1));
/** Everyday changes that are like another one here: these, too, are left to `npm run soak`. */
const LIKE_ANOTHER = [
  "a new module with new tests of its own",
  "a module that becomes a package",
  "a monorepo, tested in one package",
  "tests that are moved with the user's word",
  "a refactoring with the user's word",
  "a new dependency",
  "a helper of the source with a name that tests have, too",
  "a new test in a package of tests",
  "a fix beside a linter that holds anyway",
];
const honest = plainest(HONEST_KINDS);
const tried = honest.filter(({ name }) => !LIKE_ANOTHER.includes(name));
if (honest.length - tried.length !== LIKE_ANOTHER.length) throw new Error("A name in LIKE_ANOTHER is no change's.");

judgeCases(plainest(FALSE_KINDS), tried);
