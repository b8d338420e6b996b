import type { BackendDescriptor } from "./backend.ts";
import { descriptors as bare } from "./bare/descriptor.ts";
import { descriptors as containers } from "./containers/descriptor.ts";
import { descriptors as namespaces } from "./namespaces/descriptor.ts";

/** Every backend, in the order in which they are tried. */
export const BACKEND_DESCRIPTORS: readonly BackendDescriptor[] = [...namespaces, ...containers, ...bare];
