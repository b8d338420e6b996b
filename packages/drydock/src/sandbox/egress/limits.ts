export interface EgressLimits {
  /** Time for the opening line that names the run. */
  openingMs: number;
  /** Time for a complete request head, on a new connection and between two requests of a kept one. */
  headersMs: number;
  /** A request head over this is answered 431. */
  headerBytes: number;
  /** Silence after which a tunnel or an exchange is ended. */
  idleMs: number;
  /** Time to reach a host over all its addresses. */
  dialMs: number;
  /** Connections that one run may have open at once. */
  connectionsPerRun: number;
  /** Requests sent ahead on one connection before the first is answered. */
  pipelinedRequests: number;
}

export const DEFAULT_EGRESS_LIMITS: EgressLimits = {
  openingMs: 3_000,
  headersMs: 15_000,
  headerBytes: 32 * 1024,
  idleMs: 300_000,
  dialMs: 30_000,
  connectionsPerRun: 64,
  pipelinedRequests: 8,
};
