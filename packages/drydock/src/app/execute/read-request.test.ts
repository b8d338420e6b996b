import { ExecRequest } from "@drydock/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isRequest } from "./read-request.ts";

const anything = fc.oneof(
  fc.constantFrom<unknown>("python", "node", "bash", "ruby", "", undefined, null, true, 0, [], [""], ["a", 1], {}),
  fc.string(),
  fc.array(fc.string()),
);
const keys = [...Object.keys(ExecRequest.shape).filter((key) => key !== "policy"), "other", "toString", "__proto__"];

it("what is plainly a request is one by the schema, and the other way round", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), anything, { noNullPrototype: true }), (data) => {
      expect(isRequest(data)).toBe(ExecRequest.safeParse(data).success);
    }),
    { numRuns: 2000 },
  );
});
