import { test } from "vitest";
import { attackAsOrdinaryUser } from "./as-ordinary-user.ts";

test.skipIf(process.getuid?.() !== 0)(
  "every attack is stopped for an ordinary user as well, reports of 200 kinds among them",
  ({ signal }) => attackAsOrdinaryUser(signal),
);
