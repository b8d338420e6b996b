/** What crosses the socket between host and warden: length, kind, payload. `kernel/frames.py` is the other side. */
export interface Frame {
  kind: string;
  payload: Buffer;
}

export const TO_WARDEN = {
  /** There is time: the member goes once through what a run will do, so that the run is faster. */
  rehearse: "V",
  /** A request that needs nothing prepared: the code process takes it itself, and the warden watches. */
  plain: "P",
  request: "R",
  /** Between a request and its code: one entry of the layer that the run starts from, and the start of its content. */
  seed: "L",
  /** The next piece of that content. */
  seedMore: "M",
  code: "K",
  input: "I",
  inputEnd: "E",
  cancel: "C",
  step: "S",
  rollback: "B",
  fork: "F",
  /** After a run that may be followed by another in its slot: one is wanted. */
  again: "G",
  /** The answer to `wayOut`: by what the egress proxy knows the run. */
  wayOut: "N",
  /** Of a live run: its terminal has another size; so many bytes of its output were shown; its terminal is gone. */
  resize: "z",
  shown: "s",
  hangUp: "u",
  /** Of a live run: a copy of its files is wanted. */
  checkpoint: "k",
  /** After the entries of a seed that a live run gets: that was all. */
  rewind: "b",
} as const;

export const FROM_WARDEN = {
  hello: "H",
  stdout: "o",
  stderr: "e",
  figure: "f",
  entry: "n",
  content: "c",
  /** So many bytes of input reached the code. */
  taken: "a",
  /** The code waits for input. With a payload, what is typed must not be shown: `h` and the prompt. */
  ask: "q",
  /** The code of a plain run connects to the network for the first time. */
  wayOut: "N",
  /** The copy of a live run's files was sent; its files were put back. With what went wrong, if anything did. */
  checkpoint: "k",
  rewind: "b",
  done: "D",
} as const;

const HEADER_BYTES = 5;
/** A warden is trusted, but a length that can't be true must not make us wait for ever. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

export function encodeFrame(kind: string, payload: Uint8Array | string): Buffer {
  const body = typeof payload === "string" ? Buffer.from(payload) : payload;
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame[4] = kind.charCodeAt(0);
  frame.set(body, HEADER_BYTES);
  return frame;
}

/** Gives back whole frames, however the bytes were cut on the way. A frame's room is made once, when its length is known. */
export function createFrameDecoder(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerHeld = 0;
  let payload: Buffer | undefined;
  let held = 0;
  const deliver = (bytes: Buffer) => {
    payload = undefined;
    headerHeld = held = 0;
    onFrame({ kind: String.fromCharCode(header[4] as number), payload: bytes });
  };
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (headerHeld < HEADER_BYTES) {
        const taken = chunk.copy(header, headerHeld, at);
        headerHeld += taken;
        at += taken;
        if (headerHeld < HEADER_BYTES) return;
        const length = header.readUInt32BE(0);
        if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes is over the limit`);
        if (chunk.length - at >= length) {
          at += length;
          deliver(chunk.subarray(at - length, at));
          continue;
        }
        payload = Buffer.allocUnsafeSlow(length);
      }
      const taken = chunk.copy(payload as Buffer, held, at);
      held += taken;
      at += taken;
      if (held === payload?.length) deliver(payload);
    }
  };
}
