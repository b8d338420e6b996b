import { test } from "vitest";
import { attackAsOrdinaryUser } from "./as-ordinary-user.ts";

/**
 * About what the host or a session's warden makes of what comes from inside: no privilege of the host is used for that,
 * and the tests beside this one try it. `npm run soak` tries these as an ordinary user as well.
 */
const SAME_FOR_ALL = [
  ...["reports", "linked-checks", "delivery", "repair", "guard", "upstreams", "plain-way-out"],
  ...["sessions", "session-input", "session-capture", "undone-steps", "seeded-layers"],
];

test.skipIf(process.getuid?.() !== 0)(
  "every attack is stopped for an ordinary user as well",
  { timeout: 600_000 },
  ({ signal }) => attackAsOrdinaryUser(signal, SAME_FOR_ALL),
);
