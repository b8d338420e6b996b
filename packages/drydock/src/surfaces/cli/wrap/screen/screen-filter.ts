import { decideCommand, isQuestion, keepModes, maySee } from "./decide-sequence.ts";
import { createScreenState } from "./screen-state.ts";

/**
 * Between a wrapped program and the person's terminal, as a terminal multiplexer stands there: what draws passes, what would reach
 * beyond the screen does not. A state machine over bytes, cut anywhere:
 *
 *     ground ─ESC→ escape ─[→ csi ─final→ ground
 *                         ─]→ osc ─BEL or ST→ ground
 *                         ─P→ dcs ─ST→ ground (pictures pass, all else is dropped)
 *                         ─X ^ _ k→ dropped ─ST→ ground
 *                         ─intermediate→ escapeMore ─final→ ground
 *
 * In UTF-8 the controls of eight bits (C1) are characters, which some terminals obey: they are dropped.
 */
export interface ScreenFilter {
  write(bytes: Uint8Array): Buffer;
  /** What makes the terminal as it was before. */
  undo(): string;
  /** When the program last asked the terminal something, by `performance.now()`: its answer may be on its way. */
  readonly askedAt: number;
}

type State = "ground" | "escape" | "escapeMore" | "csi" | "osc" | "dcs" | "picture" | "dropped";

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const REPLACEMENT = Buffer.from("\ufffd");
/** Bell, backspace, tabs, line feeds, carriage return, and the two that switch alphabets. */
const PASSING_CONTROLS = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f]);
/** Index, next line, tab stop, reverse index, single shifts, save and restore, keypad, reset. */
const PASSING_ESCAPES = new Set([..."78=>DEHMNOc"].map((each) => each.charCodeAt(0)));
const MAX_SEQUENCE = 512;
const MAX_COMMAND = 8192;
const PUSH_TITLE = "\u001b[22;0t";

export function createScreenFilter(): ScreenFilter {
  const screen = createScreenState();
  let state: State = "ground";
  let held: number[] = [];
  /** How many bytes of a character are still to come. */
  let missing = 0;
  /** In a string: an escape came, which may begin its end. */
  let mayEnd = false;
  let hasTitle = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let out: Buffer[] = [];

  const emit = (bytes: readonly number[] | string | Buffer) =>
    void out.push(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes as string));

  function begin(next: State): void {
    state = next;
    held = [];
    mayEnd = false;
  }

  function takeGround(byte: number) {
    if (missing > 0) {
      if (byte >= 0x80 && byte <= 0xbf) {
        held.push(byte);
        if (--missing > 0) return;
        // C1, also where it is spelled with more bytes than it needs.
        const [first = 0, second = 0] = held;
        const isTooLong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
        const isControl = (first === 0xc2 && byte <= 0x9f) || isTooLong;
        if (!isControl) emit(held);
        held = [];
        return;
      }
      missing = 0;
      held = [];
      emit(REPLACEMENT);
    }
    if (byte === ESC) return begin("escape");
    if (byte < 0x20) {
      if (PASSING_CONTROLS.has(byte)) emit([byte]);
      return;
    }
    if (byte === 0x7f) return;
    if (byte < 0x80) return emit([byte]);
    missing =
      byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0;
    if (missing === 0) emit(REPLACEMENT);
    else held = [byte];
  }

  function takeEscape(byte: number) {
    const character = String.fromCharCode(byte);
    if (character === "[") return begin("csi");
    if (character === "]") return begin("osc");
    if (character === "P") return begin("dcs");
    if ("X^_k".includes(character)) return begin("dropped");
    if (byte === ESC) return begin("escape");
    if (byte >= 0x20 && byte <= 0x2f) {
      begin("escapeMore");
      held = [byte];
      return;
    }
    begin("ground");
    if (!PASSING_ESCAPES.has(byte)) return;
    if (character === "=" || character === ">") screen.noteKeypad(character === "=");
    emit([ESC, byte]);
  }

  /** Alphabets and line sizes pass; a change of the encoding does not, as then all of this would be read differently. */
  function takeEscapeMore(byte: number) {
    if (byte === ESC) return begin("escape");
    if (byte >= 0x20 && byte <= 0x2f && held.length < 4) return void held.push(byte);
    const [kind = 0] = held;
    if (held.length === 1 && "()*+#".includes(String.fromCharCode(kind)) && byte >= 0x30 && byte <= 0x7e) {
      emit([ESC, kind, byte]);
    }
    begin("ground");
  }

  function takeCsi(byte: number) {
    if (byte === ESC) return begin("escape");
    if (byte === CAN || byte === SUB || byte > 0x7e || held.length > MAX_SEQUENCE) return begin("ground");
    if (byte < 0x20) return;
    held.push(byte);
    if (byte < 0x40) return;
    const text = String.fromCharCode(...held);
    begin("ground");
    const parts = /^([?<=>]?)([\d;:]*)([ -/]*)([@-~])$/.exec(text);
    if (!parts) return;
    const [, prefix = "", numbers = "", intermediates = "", final = ""] = parts;
    const sequence = keepModes({ prefix, numbers, intermediates, final });
    if (!sequence || !maySee(sequence) || screen.losesTitle(sequence)) return;
    if (isQuestion(sequence)) askedAt = performance.now();
    screen.note(sequence);
    emit(`\u001b[${prefix}${sequence.numbers}${intermediates}${final}`);
  }

  /** Whether the byte belongs to the end of a string. `finish` is called where the string is over. */
  function takeEnd(byte: number, finish: () => void): boolean {
    if (mayEnd) {
      mayEnd = false;
      if (byte === 0x5c) finish();
      // Another sequence begins: the string is cut off.
      else {
        begin("escape");
        takeEscape(byte);
      }
      return true;
    }
    if (byte === ESC) mayEnd = true;
    else if (byte === CAN || byte === SUB) begin("ground");
    else return false;
    return true;
  }

  function takeOsc(byte: number) {
    const finish = () => {
      const text = new TextDecoder().decode(Uint8Array.from(held));
      begin("ground");
      passCommand(text);
    };
    if (takeEnd(byte, finish)) return;
    if (byte === BEL) return finish();
    if (held.length >= MAX_COMMAND) begin("dropped");
    else held.push(byte);
  }

  function passCommand(text: string): void {
    const fate = decideCommand(text);
    if (fate.kind === "drop") return;
    if (fate.is === "color") {
      screen.noteColor();
      if (fate.text.includes("?")) askedAt = performance.now();
    }
    if (fate.is === "title" && !hasTitle) {
      hasTitle = true;
      screen.noteTitle();
      emit(PUSH_TITLE);
    }
    emit(`\u001b]${fate.text}\u0007`);
  }

  /** A picture (sixel) is numbers, and a `q`. Requests for settings and what is passed through to others are dropped. */
  function takeDcs(byte: number) {
    if (takeEnd(byte, () => begin("ground"))) return;
    held.push(byte);
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x3b) {
      if (held.length > 64) begin("dropped");
      return;
    }
    const head = String.fromCharCode(...held);
    if (/^[\d;]*q$/.test(head)) {
      emit(`\u001bP${head}`);
      begin("picture");
    } else begin("dropped");
  }

  function takePicture(byte: number) {
    const end = () => {
      emit("\u001b\\");
      begin("ground");
    };
    if (mayEnd || byte === ESC || byte === CAN || byte === SUB) {
      // However the picture ends, the terminal hears its end.
      if (byte !== ESC && !(mayEnd && byte === 0x5c)) emit("\u001b\\");
      takeEnd(byte, end);
    } else if ((byte >= 0x20 && byte <= 0x7e) || byte === 0x0a || byte === 0x0d) emit([byte]);
  }

  const TAKERS: Record<State, (byte: number) => void> = {
    ground: takeGround,
    escape: takeEscape,
    escapeMore: takeEscapeMore,
    csi: takeCsi,
    osc: takeOsc,
    dcs: takeDcs,
    picture: takePicture,
    dropped: (byte) => {
      if (!takeEnd(byte, () => begin("ground")) && byte === BEL) begin("ground");
    },
  };

  return {
    write(bytes) {
      out = [];
      for (let at = 0; at < bytes.length; at++) {
        if (state === "ground" && missing === 0) {
          const end = findControl(bytes, at);
          if (end > at) {
            out.push(Buffer.from(bytes.subarray(at, end)));
            at = end - 1;
            continue;
          }
        }
        TAKERS[state](bytes[at] as number);
      }
      return Buffer.concat(out);
    },
    undo: () => (state === "picture" ? "\u001b\\" : "") + screen.undo(),
    get askedAt() {
      return askedAt;
    },
  };
}

/** Where plain text ends: most of what programs print is that. */
function findControl(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e) break;
    at++;
  }
  return at;
}
