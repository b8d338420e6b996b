import { test } from "vitest";
import { attackAsOrdinaryUser } from "./as-ordinary-user.ts";

/** About what the host makes of reports, whoever it is; `npm run soak` tries these as well. */
const SAME_FOR_ALL = ["reports"];

test.skipIf(process.getuid?.() !== 0)(
  "every attack is stopped for an ordinary user as well",
  { timeout: 600_000 },
  ({ signal }) => attackAsOrdinaryUser(signal, SAME_FOR_ALL),
);
