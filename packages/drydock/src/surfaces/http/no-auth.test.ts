import { describe, expect, it } from "vitest";
import { serve } from "./index.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const place = openTestServer({ auth: false, limits: { perSecond: 1, burst: 5 } });

describe("a server without a token", () => {
  it("is refused where others could reach it", async () => {
    await expect(serve([], { auth: false, host: "0.0.0.0", port: 0 })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("serves programs on this machine, and no page of another origin or by another name", async () => {
    expect((await place.call("GET", "/runs")).status).toBe(200);
    const foreign = await place.call("POST", "/execute", { code: "1" }, { origin: "https://evil.example" });
    expect([foreign.status, foreign.value]).toMatchObject([403, { error: { code: "policy.network_denied" } }]);
  });

  it("says how long to wait where somebody asks too often", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => place.call("GET", "/runs")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(3);
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
  });
});
