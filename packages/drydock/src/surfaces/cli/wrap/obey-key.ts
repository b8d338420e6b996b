import type { WrapHandle } from "../../../app/index.ts";
import type { Screen } from "./open-screen.ts";
import type { WrapKey } from "./read-keys.ts";

const SHOWN_MS = 1500;
const REDRAW_MS = 100;
const HELP = "Ctrl-^ c: checkpoint   r: rewind   .: end the program   ^: Ctrl-^ itself";

/** Does what a key after Ctrl-^ stands for, and says so at the bottom of the screen. */
export function obeyKey(key: WrapKey, screen: Screen, handle: WrapHandle | undefined) {
  if (!handle) return;
  switch (key) {
    case "checkpoint":
      return void tell(handle.checkpoint().then(({ number }) => `checkpoint ${number}`));
    case "rewind":
      return void tell(handle.rewind().then(({ number }) => `files are as they were at checkpoint ${number}`));
    case "end":
      return handle.hangUp();
    case "help":
      return void tell(Promise.resolve(HELP));
    default:
      return key satisfies never;
  }

  async function tell(action: Promise<string>): Promise<void> {
    screen.say(await action.catch((error: unknown) => (error instanceof Error ? error.message : String(error))));
    // What was there is drawn again: programs do so when their terminal changes its size.
    setTimeout(() => {
      screen.say(null);
      const { columns, rows } = screen.size;
      handle?.resize({ columns, rows: Math.max(1, rows - 1) });
      setTimeout(() => handle?.resize(screen.size), REDRAW_MS).unref();
    }, SHOWN_MS).unref();
  }
}
