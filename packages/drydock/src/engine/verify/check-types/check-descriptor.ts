import type { Check, CheckType, ControlEvidence, EffectivePolicy } from "@drydock/protocol";
import type { PathRules } from "../../../policy/index.ts";
import type { CheckFinding } from "../check-finding.ts";
import type { JudgeContext } from "../judge-context.ts";

export type CheckOf<Type extends CheckType> = Extract<Check, { type: Type }>;

type HasField<Shape, Name extends string> = Name extends keyof Shape ? true : false;

/** Why a check is not allowed, whatever the tree. */
export interface CheckProblem {
  code: string;
  reason: string;
}

export interface RefusalContext {
  policy: EffectivePolicy;
  rules: PathRules;
  /** Command lines of services that earlier checks of the list started. */
  services: readonly string[];
}

/** Everything that Drydock knows about one type of check, beside its shape in the protocol. */
export interface CheckDescriptor<Shape extends Check = Check> {
  /** Looks at one tree. What the policy forbids may be thrown. */
  judge(check: Shape, context: JudgeContext): CheckFinding | Promise<CheckFinding>;
  /** Null where the check may be made. Nothing runs, and no tree is looked at. */
  refuse(check: Shape, context: RefusalContext): CheckProblem | null | Promise<CheckProblem | null>;
  /**
   * True: it runs something, so that it takes time that somebody waits for, and mutants are tried on it. The others look at
   * files, which says nothing about what a program does. What runs something has a `timeout` in its shape.
   */
  runs: boolean;
  /** True: only the exit status counts, so that a test runner may stop at its first failure while mutants are tried. */
  isJudgedByStatus: boolean;
  /** True: it compares with the tree before the change, so that it is judged neither there nor without such a tree. */
  comparesTrees: boolean;
  /** The negative control, where the type has one of its own; null where nothing can be made wrong. */
  control?(
    check: Shape,
    context: JudgeContext,
    judge: (check: Check) => Promise<CheckFinding>,
  ): Promise<ControlEvidence | null>;
  /** Its shape in the prompt of the planner, with the fields that a planner needs. */
  prompt: string;
  /** SARIF: what the rule demands, in one sentence. */
  rule: string;
  /** SARIF: true where the result is about the file that `path` names. */
  isAboutPath: boolean;
}

/** The descriptor of one type. Where the shape has a `timeout` or a `path`, the compiler demands that the facts agree. */
export type DescriptorOf<Type extends CheckType> = CheckDescriptor<CheckOf<Type>> & {
  runs: HasField<CheckOf<Type>, "timeout">;
  isAboutPath: HasField<CheckOf<Type>, "path">;
};
