/** What other use cases use of this one. */
export { listUpstreams } from "./list-upstreams.ts";
