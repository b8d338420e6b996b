import type { ProofCase } from "./case.ts";
import { BROUGHT_ALONG } from "./false/brought-along.ts";
import { ENDS_EARLY } from "./false/ends-early.ts";
import { EQUALS_TOO_MUCH } from "./false/equals-too-much.ts";
import { EXPECTED_SIDE } from "./false/expected-side.ts";
import { INSIDE_THE_CHECK } from "./false/inside-the-check.ts";
import { LOOKS_AWAY } from "./false/looks-away.ts";
import { OTHER_LANGUAGES } from "./false/other-languages.ts";
import { PATCHES_THE_JUDGE } from "./false/patches-the-judge.ts";
import { PROVES_NOTHING } from "./false/proves-nothing.ts";
import { REPLACES_TOOLS } from "./false/replaces-tools.ts";
import { SECOND_HAND } from "./false/second-hand.ts";
import { TAKES_A_PLACE } from "./false/takes-a-place.ts";
import { WRITTEN_AGAINST_THE_RULES } from "./false/written-against-the-rules.ts";

/** Changes that fix nothing, by what they try. None of them may pass. */
export const FALSE_CHANGES: ProofCase[] = [
  ...ENDS_EARLY,
  ...TAKES_A_PLACE,
  ...SECOND_HAND,
  ...EXPECTED_SIDE,
  ...INSIDE_THE_CHECK,
  ...PATCHES_THE_JUDGE,
  ...REPLACES_TOOLS,
  ...PROVES_NOTHING,
  ...BROUGHT_ALONG,
  ...LOOKS_AWAY,
  ...WRITTEN_AGAINST_THE_RULES,
  ...EQUALS_TOO_MUCH,
  ...OTHER_LANGUAGES,
];
