import { describe, expect, it } from "vitest";
import { createAnswerQueue } from "./answer-queue.ts";

const never = new AbortController().signal;

describe("an answer queue", () => {
  it("hands answers out in order, before and after the question, an empty one included", async () => {
    const queue = createAnswerQueue<string | null>();
    queue.give("a");
    queue.give("");
    expect([queue.size, queue.isAwaited]).toEqual([2, false]);
    expect([await queue.next(never), await queue.next(never)]).toEqual(["a", ""]);
    const later = queue.next(never);
    expect(queue.isAwaited).toBe(true);
    queue.give(null);
    expect([await later, queue.size, queue.isAwaited]).toEqual([null, 0, false]);
  });

  it("keeps an answer for the next question where the one before was given up", async () => {
    const queue = createAnswerQueue<string>();
    const controller = new AbortController();
    const gone = queue.next(controller.signal);
    controller.abort(new Error("enough"));
    await expect(gone).rejects.toThrow("enough");
    expect(queue.isAwaited).toBe(false);
    await expect(queue.next(controller.signal)).rejects.toThrow("enough");
    queue.give("kept");
    expect(await queue.next(never)).toBe("kept");
  });
});
