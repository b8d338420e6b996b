import { COPIES } from "../python/copies.ts";
import { DOMAIN } from "../python/domain.ts";
import { CHILDREN } from "../python/driver.ts";
import { RUN_TESTS } from "../python/run-tests.ts";
import { TRIALS } from "../python/trials.ts";
import { NODE_COPIES } from "./node-copies.ts";

/** Tries candidates of JavaScript and TypeScript in trial forks of Node, in one sandbox. What it reports goes to standard output. */
export const NODE_COPY_DRIVER = RUN_TESTS + DOMAIN + CHILDREN + COPIES + TRIALS + NODE_COPIES;
