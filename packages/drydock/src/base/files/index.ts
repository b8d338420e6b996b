export { listDirectory } from "./list-directory.ts";
export { putFile } from "./put-file.ts";
export { isInside, realPathOf } from "./real-path-of.ts";
