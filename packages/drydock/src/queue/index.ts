export { createEmbeddedQueue } from "./embedded/create-embedded-queue.ts";
export { listCaps, setCap } from "./postgres/caps.ts";
export { createPostgresQueue, submitOrder } from "./postgres/create-postgres-queue.ts";
export { type Boss, LEASE_SECONDS, openBoss } from "./postgres/open-boss.ts";
export { type QueueState, readQueueState } from "./postgres/read-state.ts";
export { listWorkers, setWorkerState } from "./postgres/worker-registry.ts";
export { machineOf, type OnRunStarted, type Order, type RunQueue } from "./run-queue.ts";
export { openWorker, type WorkerPorts } from "./worker/open-worker.ts";
