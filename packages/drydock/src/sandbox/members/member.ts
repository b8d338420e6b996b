import { createConnection, type Socket } from "node:net";
import { createFrameDecoder, encodeFrame, FROM_WARDEN, type Frame, TO_WARDEN } from "./frames.ts";

/**
 * One locked sandbox that waits for a request. It serves a single run, or a single session, and is gone; or plain runs, one after
 * the other, as long as each leaves its slot as it was built.
 */
export interface Member {
  readonly alive: boolean;
  send(...frames: [kind: string, payload: Uint8Array | string][]): void;
  /** For large messages: resolves when there is room for more, or when the member is gone. */
  drained(): Promise<void>;
  /** Takes the frames from here on. `onClose` is called once, when the member is gone. */
  listen(onFrame: (frame: Frame) => void, onClose: () => void): void;
  /** After a run: asks for another in the same slot. Resolves when it waits for one; otherwise it is gone. */
  again(): Promise<boolean>;
  /** Called when it is gone, even while another caller follows it. */
  onGone(listener: () => void): void;
  /** Ends it: its warden kills everything it holds when this socket closes. */
  close(): void;
}

/** Resolves when a member has taken the connection and says that it is locked and ready. */
export async function connectMember(socketPath: string, signal: AbortSignal): Promise<Member> {
  return (await connect(socketPath, signal)).member;
}

/** The same of the warden of some fork. Which one it is, it says. */
export async function connectFork(socketPath: string, signal: AbortSignal): Promise<{ member: Member; name: string }> {
  const { member, hello } = await connect(socketPath, signal);
  return { member, name: (JSON.parse(hello.toString()) as { fork: string }).fork };
}

function connect(socketPath: string, signal: AbortSignal): Promise<{ member: Member; hello: Buffer }> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(new Error("the fork server is gone"));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once("close", abort);
    const member = wrapSocket(socket, (hello) => {
      signal.removeEventListener("abort", abort);
      socket.off("error", fail);
      socket.off("close", abort);
      resolve({ member, hello });
    });
  });
}

function wrapSocket(socket: Socket, onReady: (hello: Buffer) => void): Member {
  let onFrame: ((frame: Frame) => void) | undefined;
  let onClose: (() => void) | undefined;
  let alive = false;
  const decode = createFrameDecoder((frame) => {
    if (alive) return onFrame?.(frame);
    if (frame.kind !== FROM_WARDEN.hello) return void socket.destroy();
    alive = true;
    onReady(frame.payload);
  });
  socket.on("data", decode);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    alive = false;
    onClose?.();
  });
  return {
    get alive() {
      return alive;
    },
    send(...frames) {
      if (!socket.writable) return;
      socket.cork();
      for (const [kind, payload] of frames) socket.write(encodeFrame(kind, payload));
      socket.uncork();
    },
    async drained() {
      if (!socket.writableNeedDrain || socket.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          socket.off("drain", done).off("close", done);
          resolve();
        };
        socket.on("drain", done).on("close", done);
      });
    },
    listen(frameHandler, closeHandler) {
      onFrame = frameHandler;
      onClose = closeHandler;
      if (socket.destroyed) closeHandler();
    },
    again() {
      return new Promise((resolve) => {
        this.listen(
          ({ kind }) => resolve(kind === FROM_WARDEN.hello),
          () => resolve(false),
        );
        this.send([TO_WARDEN.again, ""]);
      });
    },
    onGone(listener) {
      socket.once("close", listener);
    },
    close() {
      socket.destroy();
    },
  };
}
