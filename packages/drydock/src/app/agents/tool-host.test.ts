import type { PolicyDocument } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { ToolHost } from "../../tasks/index.ts";
import type { Dock } from "../dock.ts";
import { createToolHost } from "./tool-host.ts";

/** What a dock would be asked for. */
async function ask(outer: PolicyDocument | undefined, policy: PolicyDocument | undefined) {
  let question: PolicyDocument | undefined;
  const dock = {
    exec: async (request) => {
      question = request.policy;
      return {} as never;
    },
    policies: { show: async () => ({}) as never },
  } satisfies Pick<Dock, "exec" | "policies">;
  await createToolHost(dock, { policy: outer }).exec({ command: ["x"], policy } as unknown as Parameters<
    ToolHost["exec"]
  >[0]);
  return question;
}

it("asks for what the tool wants where the call sets nothing, and the other way round", async () => {
  const policy = { network: { allow: ["a.example:443"] } };
  expect(await ask(undefined, policy)).toEqual(policy);
  expect(await ask(policy, undefined)).toEqual(policy);
});

it("takes the lower of two limits, and the hosts that both name", async () => {
  const outer = { limits: { wallSeconds: 30, memoryMb: 512 }, network: { allow: ["*.example:443"] } };
  const question = { limits: { wallSeconds: 300, memoryMb: 64 }, network: { allow: ["a.example:443"] } };
  expect(await ask(outer, question)).toEqual({
    limits: { wallSeconds: 30, memoryMb: 64 },
    network: { allow: ["a.example:443"] },
  });
});

it("lets no tool set what the call has set, nor reach whom the call does not", async () => {
  const outer = { commands: { allow: ["python3"] }, network: { allow: [] } };
  expect(await ask(outer, { commands: { allow: ["bash"] } })).toMatchObject({ commands: { allow: ["python3"] } });
  await expect(ask(outer, { network: { allow: ["a.example:443"] } })).rejects.toMatchObject({
    code: "policy.network_denied",
  });
});
