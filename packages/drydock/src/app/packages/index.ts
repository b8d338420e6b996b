/** What other use cases use of this one. */
export {
  createEnvironments,
  describePackages,
  type EnvironmentRequest,
  type Environments,
  type PackageEnvironment,
} from "./create-environments.ts";
export { INSTALL_PROGRAM } from "./install-program.ts";
export { pruneEnvironments } from "./prune-environments.ts";
export { readRequirements } from "./read-requirements.ts";
