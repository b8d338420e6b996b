import { setTimeout as sleep } from "node:timers/promises";
import { call, type Run, say, send, writeOut, writeRaw } from "./wire.ts";

type Behaviour = (run: Run, rest: string) => void | Promise<void>;

const MIB = 1024 * 1024;
const delta = (content: string) => ({ type: "message.delta", data: { chunk: { role: "assistant", content } } });
const completed = { type: "run.completed", data: { finish_reason: "stop" } };
const state = (key: string, value: unknown) => ({ type: "state.updated", data: { scope: "conversation", key, value } });
const artifact = (content_base64: string) => ({
  type: "artifact.created",
  data: { artifact_type: "file", content_base64 },
});
const end = (run: Run) => send(run, completed);

/** By the first word of the input. What follows it is given as `rest`. */
export const BEHAVIOURS: Record<string, Behaviour> = {
  // What plugins may do.
  stream(run, rest) {
    for (const word of rest.split(" ")) send(run, delta(`${word} `));
    say(run, rest);
    end(run);
  },
  "deltas-only": (run, rest) => send(run, delta(rest)),
  "message-only": (run, rest) => say(run, rest),
  "message-in-end": (run, rest) =>
    send(run, {
      type: "run.completed",
      data: { finish_reason: "stop", message: { role: "assistant", content: rest } },
    }),
  silent: () => {},
  "state-only"(run) {
    send(run, state("external.session_id", "s1"));
    end(run);
  },
  action(run) {
    send(run, { type: "action.requested", data: { action: "message.delete", target: { message_id: "m1" } } });
    end(run);
  },
  fail: (run) => send(run, { type: "run.failed", data: { code: "test.api_error", error: "no", retryable: true } }),
  async wait(run) {
    send(run, delta("waiting "));
    await run.cancelled.promise;
  },
  environment(run) {
    say(run, JSON.stringify(Object.keys(process.env).sort()));
    end(run);
  },
  async call(run, rest) {
    const [method = "", ...params] = rest.split(" ");
    const values = JSON.parse(params.join(" ") || "{}") as object;
    say(run, JSON.stringify(await call(method, { run_id: run.runId, ...values })));
    end(run);
  },
  async "many-calls"(run) {
    const calls = Array.from({ length: 1000 }, (_, index) =>
      call("state_get", { run_id: run.runId, scope: "conversation", key: `k${index}` }),
    );
    say(run, String((await Promise.all(calls)).length));
    end(run);
  },

  // Limits.
  "long-line": (run) => send(run, delta("x".repeat(4 * MIB))),
  "endless-line": () => writeOut("x".repeat(5 * MIB)),
  "large-result"(run) {
    say(run, "x".repeat(MIB + 1));
    end(run);
  },
  "large-artifact": (run) => send(run, artifact(Buffer.alloc(MIB + 1).toString("base64"))),
  "large-state"(run) {
    send(run, state("k", "x".repeat(256 * 1024)));
    say(run, "kept?");
    end(run);
  },
  "long-state-key"(run) {
    send(run, state("k".repeat(256), 1));
    say(run, "kept?");
    end(run);
  },

  // Breaches of the protocol.
  nonsense: () => writeOut("this is no JSON\n"),
  "not-a-message": () => writeOut('{"hello": 1}\n'),
  "no-type": (run) => send(run, { data: {} }),
  "not-a-result": (run) => send(run, "text"),
  "bad-base64": (run) => send(run, artifact("a!")),
  "other-run": (run) => send(run, { ...delta("x"), run_id: "run_of_somebody_else" }),
  "other-channel"(run) {
    send({ channel: "ch_of_somebody_else" }, delta("x"));
    say(run, "mine");
    end(run);
  },
  async "other-run-call"(run) {
    say(run, JSON.stringify(await call("state_get", { run_id: "run_of_somebody_else", scope: "actor", key: "k" })));
    end(run);
  },
  async lie(run) {
    const forged = { run_id: run.runId, scope: "actor", key: "k", plugin_author: "somebody", plugin_name: "else" };
    say(run, JSON.stringify(await call("state_get", forged)));
    end(run);
  },
  "unknown-type"(run) {
    send(run, { type: "dance.started", data: {} });
    say(run, "danced");
    end(run);
  },
  "bad-payload"(run) {
    send(run, { type: "state.updated", data: { scope: "planet" } });
    say(run, "went on");
    end(run);
  },
  "repeat-sequence"(run) {
    for (const sequence of [1, 1, 2]) send(run, { ...delta(`${sequence} `), sequence });
    send(run, { ...completed, sequence: 3 });
  },
  "skip-sequence"(run) {
    for (const sequence of [1, 5, 3, 0]) send(run, { ...delta(`${sequence} `), sequence });
    end(run);
  },
  "bad-sequence"(run) {
    send(run, { ...delta("x"), sequence: "one" });
    end(run);
  },
  "second-terminal"(run) {
    say(run, "once");
    end(run);
    send(run, { type: "run.failed", data: { code: "test.again", error: "no" } });
  },
  "after-terminal"(run) {
    say(run, "once");
    end(run);
    say(run, "twice");
  },

  // Processes that do not behave.
  crash: () => process.exit(3),
  "crash-after-delta"(run) {
    send(run, delta("begun "));
    process.exit(3);
  },
  async "exit-between"(run) {
    say(run, "first");
    await sleep(50);
    process.exit(0);
  },
  hang: () => new Promise(() => {}),
  async "ignore-cancel"(run) {
    for (;;) {
      send(run, delta("still here "));
      await sleep(20);
    }
  },
  busy() {
    for (;;);
  },
  "flood-stdout"() {
    for (let count = 0; count < 8; count++) writeOut(`${"x".repeat(1023)}\n`.repeat(1024));
  },
  "flood-stderr"(run) {
    for (let count = 0; count < 8; count++) writeRaw(2, `${"x".repeat(1023)}\n`.repeat(1024));
    say(run, "flooded");
    end(run);
  },
  async flood(run) {
    for (let count = 0; count < 20_000; count++) send(run, delta("flood "));
    end(run);
  },
};
