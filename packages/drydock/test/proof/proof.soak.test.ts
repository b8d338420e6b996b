import { FALSE_KINDS } from "./false-changes.ts";
import { HONEST_KINDS } from "./honest-changes.ts";
import { judgeCases } from "./judge-cases.ts";

judgeCases(FALSE_KINDS.flat(), HONEST_KINDS.flat());
