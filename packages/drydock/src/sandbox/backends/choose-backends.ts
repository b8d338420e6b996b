import {
  type DoctorFinding,
  DrydockError,
  type EffectivePolicy,
  SANDBOX_LEVELS,
  type SandboxLevel,
} from "@drydock/protocol";
import { checkLevel } from "../check-level.ts";
import type { RunRequest } from "../run-request.ts";
import type { BackendDescriptor } from "./backend.ts";
import { BACKEND_DESCRIPTORS } from "./registry.ts";

const SANDBOXES = BACKEND_DESCRIPTORS.filter(({ levels }) => levels.length > 0);
const UNCONFINED = BACKEND_DESCRIPTORS.filter(({ levels }) => levels.length === 0);
const USUAL = SANDBOXES.filter(({ backend }) => backend === "namespaces");

/**
 * The backends that may take a run, in the order in which they are tried: those that the policy names, as far as it accepts
 * the best of their levels. A policy that names none but `unconfined` has its runs in namespaces, unless they ask for no sandbox.
 */
export function chooseBackends(
  policy: EffectivePolicy,
  unconfined = false,
): readonly [BackendDescriptor, ...BackendDescriptor[]] {
  const { sandbox } = policy;
  const possible = unconfined ? UNCONFINED : listNamed(policy);
  const [first, ...others] = possible.filter(({ levels }) => levels.length === 0 || isAccepted(levels, sandbox.level));
  if (first) return [first, ...others];
  const best = possible[0]?.levels[0];
  if (best !== undefined) checkLevel(best, policy);
  throw new Error("No backend of the registry is a sandbox.");
}

/** The same for one run: one that leaves processors to another is kept there in namespaces only. */
export function chooseFor({ policy, unconfined, aside }: Pick<RunRequest, "policy" | "unconfined" | "aside">) {
  const [first, ...others] = chooseBackends(policy, unconfined);
  if (!aside) return [first, ...others] as const;
  const held = [first, ...others].find(({ backend, isFallback }) => backend === "namespaces" && !isFallback);
  if (held) return [held] as const;
  throw new DrydockError(
    "sandbox.unavailable",
    `A run can't be kept on some of the processors on the backend \`${first.backend}\`.`,
    "Run it without `aside`.",
  );
}

/**
 * Findings, without starting anything, about the backends that a policy names; without a policy, about the default one.
 */
export function inspectBackends(policy: EffectivePolicy | undefined, searchPath: string): DoctorFinding[] {
  const named = policy ? listNamed(policy) : USUAL;
  const others = SANDBOXES.filter((each) => !named.includes(each));
  return [
    ...named.flatMap(({ doctor }) => doctor.inspect(searchPath)),
    // What is not used can't be broken.
    ...others.flatMap(({ backend, doctor }): DoctorFinding[] =>
      doctor.mention
        ? [{ name: backend, state: "ok", detail: `not named by the policy; ${doctor.mention(searchPath)}` }]
        : [],
    ),
  ];
}

function listNamed({ sandbox }: EffectivePolicy): readonly BackendDescriptor[] {
  const named = SANDBOXES.filter(({ backend }) => sandbox.backends.includes(backend));
  return named.length > 0 ? named : USUAL;
}

/** Sessions live in namespaces: a policy that names other backends only has none. */
export function requireNamespaces(policy: EffectivePolicy, who = "Sessions need"): BackendDescriptor {
  const found = chooseBackends(policy).find(({ backend }) => backend === "namespaces");
  if (found) return found;
  throw new DrydockError(
    "sandbox.unavailable",
    `${who} the backend \`namespaces\`, which the policy does not name.`,
    "Run it with `drydock exec`, or the owner adds it: `drydock policy set sandbox.backends '[namespaces]'`.",
  );
}

function isAccepted([best]: readonly SandboxLevel[], weakest: SandboxLevel): boolean {
  return best !== undefined && SANDBOX_LEVELS.indexOf(best) <= SANDBOX_LEVELS.indexOf(weakest);
}
