import { expect, it } from "vitest";
import { createForkArrivals } from "./fork-arrivals.ts";
import type { Member } from "./member.ts";

/** Forks that take up connections in an order of their own, as at the socket that they share. */
function openSocket() {
  const queue: { resolve(fork: { member: Member; name: string }): void; reject(error: Error): void }[] = [];
  const closed: string[] = [];
  const connect = (signal: AbortSignal) =>
    new Promise<{ member: Member; name: string }>((resolve, reject) => {
      queue.push({ resolve, reject });
      signal.addEventListener("abort", () => reject(new Error("nobody came")));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    connectForks: createForkArrivals(connect),
    closed,
    waiting: () => queue.length,
    async accept(name: string) {
      const member = { onGone: () => {}, close: () => closed.push(name) } as unknown as Member;
      queue.shift()?.resolve({ member, name });
      await settle();
    },
    async fail() {
      queue.shift()?.reject(new Error("it ended"));
      await settle();
    },
  };
}

const patient = new AbortController().signal;

it("two sessions get their own forks, whichever connections these took", async () => {
  const socket = openSocket();
  const one = socket.connectForks(["a", "b"], patient);
  const two = socket.connectForks(["c", "d"], patient);
  for (const name of ["c", "b", "d", "a"]) await socket.accept(name);
  expect([...(await one).keys()].sort()).toEqual(["a", "b"]);
  expect([...(await two).keys()].sort()).toEqual(["c", "d"]);
});

it("a fork that comes before its session asks is kept, and does not take the place of another", async () => {
  const socket = openSocket();
  const one = socket.connectForks(["a"], patient);
  await socket.accept("early");
  expect(socket.waiting()).toBe(1);
  await socket.accept("a");
  expect([...(await one).keys()]).toEqual(["a"]);
  expect([...(await socket.connectForks(["early"], patient)).keys()]).toEqual(["early"]);
  expect(socket.waiting()).toBe(0);
});

it("a fork that has ended is missing, and the others are not waited for in vain", async () => {
  const socket = openSocket();
  const forks = socket.connectForks(["a", "b"], patient);
  await socket.accept("a");
  await socket.fail();
  expect([...(await forks).keys()]).toEqual(["a"]);
});

it("forks that do not come in time are missing", async () => {
  const socket = openSocket();
  const patience = new AbortController();
  const forks = socket.connectForks(["a", "b"], patience.signal);
  await socket.accept("b");
  patience.abort();
  expect([...(await forks).keys()]).toEqual(["b"]);
});
