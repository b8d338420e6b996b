/** What other use cases use of this one. */
export { ignoreMissing, measureDirectory } from "./measure-directory.ts";
