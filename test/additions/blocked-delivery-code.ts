import type { Insertion } from "./copy-repository.ts";

/** An error code `delivery.blocked`, added as docs/contributing.md says. No execution ends with it. */
export const BLOCKED_DELIVERY_CODE: readonly Insertion[] = [
  {
    file: "packages/protocol/src/errors/error-codes.ts",
    before: '  "delivery.conflict": [',
    text: '  "delivery.blocked": [1, 409, "user", "not-code"],\n',
  },
  { file: "test/pins.test.ts", before: '      "delivery.conflict": 1,', text: '      "delivery.blocked": 1,\n' },
  { file: "test/pins.test.ts", before: '      "delivery.conflict": 409,', text: '      "delivery.blocked": 409,\n' },
  {
    file: "docs/guides/errors.md",
    before: "| 1 | 409 | `delivery.conflict` |",
    text: "| 1 | 409 | `delivery.blocked` | user | somebody holds the workspace |\n",
  },
];
