/** What other use cases use of this one. */
export { ignoreMissing } from "./measure-directory.ts";
