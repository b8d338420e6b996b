import { expect, it } from "vitest";
import { loadLater } from "./index.ts";

it("loads with the first call, once, and passes arguments and results on", async () => {
  let loads = 0;
  const later = loadLater(async () => {
    loads += 1;
    return { add: async (a: number, b = 1) => a + b, fail: async () => Promise.reject(new Error("no")) };
  });
  const methods = { add: later((loaded) => loaded.add), fail: later((loaded) => loaded.fail) };
  expect(loads).toBe(0);
  expect(await Promise.all([methods.add(1), methods.add(1, 2)])).toEqual([2, 3]);
  await expect(methods.fail()).rejects.toThrow("no");
  expect(loads).toBe(1);
});

it("loads again after a load that failed", async () => {
  let loads = 0;
  const later = loadLater(async () => {
    if (++loads === 1) throw new Error("the disk was full");
    return { count: async () => loads };
  });
  const count = later((loaded) => loaded.count);
  await expect(count()).rejects.toThrow("the disk was full");
  expect(await count()).toBe(2);
});
