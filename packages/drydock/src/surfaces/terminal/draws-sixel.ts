import type { Terminal } from "./terminal.ts";

/** "Primary device attributes": every terminal since the VT100 answers with what it can; 4 stands for sixel. */
const QUESTION = "\x1b[c";
const ANSWER = new RegExp(`${String.fromCharCode(27)}\\[\\?([\\d;]*)c`);
const SIXEL = "4";
const ANSWER_MS = 300;
const CTRL_C = "\x03";

const known = new WeakMap<Terminal, Promise<boolean>>();

/**
 * Whether the terminal says that it draws sixel pictures. It is asked once, through standard input, which nothing else may be
 * reading then: where something reads it later, ask before.
 */
export function drawsSixel(terminal: Terminal): Promise<boolean> {
  const answer = known.get(terminal) ?? askTerminal(terminal);
  known.set(terminal, answer);
  return answer;
}

async function askTerminal(terminal: Terminal): Promise<boolean> {
  const input = terminal.isOutputTerminal ? terminal.input?.() : undefined;
  if (!input?.isTTY) return false;
  const wasRaw = input.isRaw;
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = "";
  const take = (chunk: Buffer | string) => {
    seen += chunk.toString("latin1");
    if (ANSWER.test(seen)) resolve();
  };
  const timer = setTimeout(resolve, ANSWER_MS);
  input.on("data", take);
  // Otherwise the terminal would show its own answer, and keep it until the end of a line.
  input.setRawMode(true);
  input.resume();
  terminal.control.out(QUESTION);
  await promise;
  clearTimeout(timer);
  input.off("data", take);
  input.pause();
  input.setRawMode(wasRaw);
  const typed = seen.replace(ANSWER, "");
  if (typed.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
  // What a person typed meanwhile belongs to whoever reads next.
  else if (typed !== "") input.unshift(Buffer.from(typed, "latin1"));
  return ANSWER.exec(seen)?.[1]?.split(";").slice(1).includes(SIXEL) ?? false;
}
