import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BACKEND_NAMES, BACKENDS, type EffectivePolicy, SANDBOX_LEVELS } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { policy } from "../failures/testing/ending-row.ts";
import { KERNEL_DIRECTORY } from "../start-fork-server-early.ts";
import { chooseBackends, chooseFor, inspectBackends } from "./choose-backends.ts";
import { describeReport } from "./describe-report.ts";
import { BACKEND_DESCRIPTORS } from "./registry.ts";

const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe("the registry of backends", () => {
  it.each(folders.map(({ name }) => name))("has a descriptor and a factory of %s", async (name) => {
    const files = readdirSync(join(import.meta.dirname, name));
    expect(files).toEqual(expect.arrayContaining(["create-backend.ts", "descriptor.ts"]));
    const { descriptors } = await import(`./${name}/descriptor.ts`);
    expect(descriptors.length).toBeGreaterThan(0);
    expect(BACKEND_DESCRIPTORS).toEqual(expect.arrayContaining(descriptors));
  });

  it.each(BACKEND_NAMES)("has the levels that policies know of %s, each once", (name) => {
    const levels = BACKEND_DESCRIPTORS.filter(({ backend }) => backend === name).flatMap((each) => each.levels);
    expect(levels.sort()).toEqual([...BACKENDS[name].levels].sort());
  });

  it("tries what holds better first, and a fallback last", () => {
    const ranks = BACKEND_DESCRIPTORS.filter(({ levels }) => levels.length > 0).map(({ isFallback }) => isFallback);
    expect(ranks).toEqual([...ranks].sort());
  });

  it.each(BACKEND_DESCRIPTORS.map((each) => [`${each.backend} ${each.levels}`, each] as const))(
    "finds %s by a result's report, with steps that exist",
    (_name, descriptor) => {
      const { backend, levels, steps } = descriptor;
      for (const level of levels.length === 0 ? ["none"] : levels) {
        expect(describeReport({ backend, level })).toBe(descriptor);
      }
      if (steps) expect(readFileSync(join(KERNEL_DIRECTORY, steps.file), "utf8")).toMatch(`\n${steps.list} = (\n`);
    },
  );

  it("finds none for a run that never began", () => {
    expect(describeReport({ backend: "namespaces", level: "none" })).toBeUndefined();
  });
});

describe("a policy", () => {
  const sandbox = (changed: Partial<EffectivePolicy["sandbox"]>) => ({
    ...policy,
    sandbox: { ...policy.sandbox, ...changed },
  });
  const chosen = (changed: Partial<EffectivePolicy["sandbox"]>, unconfined = false) =>
    chooseBackends(sandbox(changed), unconfined).map(({ backend, levels }) => [backend, ...levels]);

  it("gets namespaces, and Landlock after them only where it accepts that level", () => {
    for (const level of ["cgroups", "rlimits"] as const)
      expect(chosen({ level })).toEqual([["namespaces", "cgroups", "rlimits"]]);
    expect(chosen({ level: "landlock" })).toEqual([
      ["namespaces", "cgroups", "rlimits"],
      ["namespaces", "landlock"],
    ]);
  });

  it("that names `unconfined` alone still has its runs in namespaces, unless they ask for no sandbox", () => {
    expect(chosen({ backends: ["unconfined"] })).toEqual([["namespaces", "cgroups", "rlimits"]]);
    expect(chosen({ backends: ["unconfined"] }, true)).toEqual([["unconfined"]]);
  });

  it("never gets an unconfined run without asking", () => {
    for (const level of SANDBOX_LEVELS)
      expect(chosen({ backends: [...BACKEND_NAMES], level }).flat()).not.toContain("unconfined");
  });

  it("has a run that leaves processors to another in namespaces, or not at all", () => {
    const choose = (changed: Partial<EffectivePolicy["sandbox"]>) =>
      chooseFor({ policy: sandbox(changed), aside: true }).map(({ backend, levels }) => [backend, ...levels]);
    for (const level of SANDBOX_LEVELS) expect(choose({ level })).toEqual([["namespaces", "cgroups", "rlimits"]]);
    expect(choose({ backends: ["podman", "namespaces"] })).toEqual([["namespaces", "cgroups", "rlimits"]]);
    expect(() => choose({ backends: ["podman"] })).toThrow("can't be kept on some of the processors");
  });

  it("has its backends inspected by their own descriptors", () => {
    const nowhere = join(import.meta.dirname, "nothing");
    const names = ["user namespaces", "gvisor", "podman", "docker"];
    expect(inspectBackends(policy, nowhere).map(({ name }) => name)).toEqual(names);
    expect(inspectBackends(undefined, nowhere)).toEqual(inspectBackends(policy, nowhere));
    expect(inspectBackends(sandbox({ backends: ["podman"] }), nowhere)[0]).toMatchObject({
      name: "podman engine",
      state: "missing",
      remedy: expect.stringContaining("apt-get install podman"),
    });
  });
});
