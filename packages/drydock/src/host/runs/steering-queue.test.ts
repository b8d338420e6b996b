import type { SteeringItem } from "@drydock/protocol/runner";
import { expect, it } from "vitest";
import { createSteeringQueue } from "./steering-queue.ts";

const item = (event_id: string) => ({ event: { event_id } }) as SteeringItem;

it("gives what could not be put on record to the next pull, in order", async () => {
  let isFull = true;
  const queue = createSteeringQueue(async () => {
    if (isFull) throw new Error("the disk is full");
  });
  const [first, second] = [item("evt_1"), item("evt_2")];
  queue.offer(first);
  queue.offer(second);
  await expect(queue.pull("one-at-a-time", null)).rejects.toThrow("the disk is full");
  isFull = false;
  expect(await queue.pull("all", null)).toEqual([first, second]);
  expect(queue.close()).toEqual([]);
});
