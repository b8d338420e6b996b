const QUIET = "--disable-warning=ExperimentalWarning";

/** Whether the build is known to be current: `npm test` has made it so and says it, whoever starts vitest by hand has not. */
export const isBuilt = process.env.DRYDOCK_BUILT === "1";

/** Flags of Node for a program that imports sources of this tree by their paths. */
export const SOURCE_FLAGS = ["--conditions=drydock-source", QUIET] as const;

/** Flags of Node for a program that knows Drydock by its name only: the build is loaded in a third of the time. */
export const CHILD_FLAGS: readonly string[] = isBuilt ? [QUIET] : SOURCE_FLAGS;
