export { listDirectory } from "./list-directory.ts";
export { isInside, realPathOf } from "./real-path-of.ts";
