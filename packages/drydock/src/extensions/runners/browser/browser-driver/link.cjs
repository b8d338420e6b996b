// The DevTools protocol over two pipes: JSON texts, each ended by a NUL byte.
"use strict";

/** Default timeout of a request. */
const ANSWER_MS = 10_000;

/** Every request is answered or cancelled before the deadline. */
function createLink(toBrowser, fromBrowser, deadline) {
  const waiting = new Map();
  const listeners = new Set();
  let pieces = [];
  let last = 0;
  let lost = null;

  function take(message) {
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) answer?.reject(new Error(message.error.message));
    else answer?.resolve(message.result);
  }

  fromBrowser.on("data", (data) => {
    let from = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
      const text = Buffer.concat([...pieces, data.subarray(from, end)]).toString();
      pieces = [];
      from = end + 1;
      take(JSON.parse(text));
    }
    if (from < data.length) pieces.push(data.subarray(from));
  });
  for (const pipe of [toBrowser, fromBrowser]) pipe.on("error", (error) => lose(error.message));

  function lose(reason) {
    lost ??= reason;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  }

  function ask(method, params = {}, { sessionId, withinMs = ANSWER_MS } = {}) {
    if (lost !== null) return Promise.reject(new Error(lost));
    const id = ++last;
    const patienceMs = Math.max(1, Math.min(withinMs, deadline - performance.now()));
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(Object.assign(new Error(`${method} got no answer in time`), { late: true }));
      }, patienceMs);
      const settle = (act) => (value) => {
        clearTimeout(timer);
        act(value);
      };
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    });
    toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  return { ask, lose, listen: (listener) => listeners.add(listener) };
}

module.exports = { createLink };
