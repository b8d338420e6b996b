/** How a runner that is being developed reaches its host: a WebSocket on loopback, one JSON-RPC message in each text. */
export const RUNNER_SOCKET = {
  /** Variables that the SDK reads. With both, a plugin connects to the host instead of serving on stdin and stdout. */
  urlVariable: "DRYDOCK_RUNNER_URL",
  tokenVariable: "DRYDOCK_RUNNER_TOKEN",
  /** The development is over: after a close with this code the SDK ends, after any other one it connects again. */
  overCode: 4410,
  /** Somebody else has the one connection that there is. */
  busyCode: 4409,
  /** Between two attempts to connect: the first delay, doubled each time, up to the last. */
  retryMs: { first: 200, last: 5000 },
} as const;
