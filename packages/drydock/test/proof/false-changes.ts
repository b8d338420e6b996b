import type { ProofCase } from "./case.ts";
import { BENDS_BOTH_SIDES } from "./false/bends-both-sides.ts";
import { BROUGHT_ALONG } from "./false/brought-along.ts";
import { ENDS_EARLY } from "./false/ends-early.ts";
import { EQUALS_TOO_MUCH } from "./false/equals-too-much.ts";
import { EXPECTED_SIDE } from "./false/expected-side.ts";
import { FINDS_BY_ITSELF } from "./false/finds-by-itself.ts";
import { HOLDS_NO_VALUE } from "./false/holds-no-value.ts";
import { IN_ITS_PLACE } from "./false/in-its-place.ts";
import { IN_THE_ENVIRONMENT } from "./false/in-the-environment.ts";
import { INSIDE_THE_CHECK } from "./false/inside-the-check.ts";
import { JUDGES_ITSELF } from "./false/judges-itself.ts";
import { LOOKS_AWAY } from "./false/looks-away.ts";
import { OTHER_LANGUAGES } from "./false/other-languages.ts";
import { OUT_OF_SIGHT } from "./false/out-of-sight.ts";
import { PATCHES_THE_JUDGE } from "./false/patches-the-judge.ts";
import { PROVES_NOTHING } from "./false/proves-nothing.ts";
import { READS_ITS_TESTS } from "./false/reads-its-tests.ts";
import { REPLACES_TOOLS } from "./false/replaces-tools.ts";
import { SAYS_IT_AROUND } from "./false/says-it-around.ts";
import { SECOND_HAND } from "./false/second-hand.ts";
import { SPLIT_IN_TWO } from "./false/split-in-two.ts";
import { SWALLOWS_ASSERTIONS } from "./false/swallows-assertions.ts";
import { TAKES_A_PLACE } from "./false/takes-a-place.ts";
import { TELLS_THE_CHECK } from "./false/tells-the-check.ts";
import { WRITTEN_AGAINST_THE_RULES } from "./false/written-against-the-rules.ts";

/** Changes that fix nothing, by what they try: a list for each kind, the plainest first. None of them may pass. */
export const FALSE_KINDS: readonly (readonly ProofCase[])[] = [
  ENDS_EARLY,
  TAKES_A_PLACE,
  IN_THE_ENVIRONMENT,
  IN_ITS_PLACE,
  SECOND_HAND,
  EXPECTED_SIDE,
  INSIDE_THE_CHECK,
  PATCHES_THE_JUDGE,
  REPLACES_TOOLS,
  PROVES_NOTHING,
  BROUGHT_ALONG,
  LOOKS_AWAY,
  WRITTEN_AGAINST_THE_RULES,
  EQUALS_TOO_MUCH,
  JUDGES_ITSELF,
  SWALLOWS_ASSERTIONS,
  BENDS_BOTH_SIDES,
  OUT_OF_SIGHT,
  OTHER_LANGUAGES,
  SPLIT_IN_TWO,
  READS_ITS_TESTS,
  HOLDS_NO_VALUE,
  SAYS_IT_AROUND,
  FINDS_BY_ITSELF,
  TELLS_THE_CHECK,
];
