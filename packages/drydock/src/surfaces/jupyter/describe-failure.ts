import type { ErrorInfo } from "@drydock/protocol";

export interface CellFailure {
  ename: string;
  evalue: string;
  traceback: string[];
}

/** An error as notebooks show one: an exception by its own name and traceback, all else by Drydock's code and hint. */
export function describeFailure(error: ErrorInfo, nameCells: (traceback: string) => string): CellFailure {
  const { code, message, hint, exception, traceback } = error;
  if (code === "run.cancelled") {
    const evalue = "the cell was interrupted; variables and files are as they were before it";
    return { ename: "KeyboardInterrupt", evalue, traceback: [`KeyboardInterrupt: ${evalue}`] };
  }
  if (typeof exception !== "string" || typeof traceback !== "string") {
    return { ename: code, evalue: message, traceback: [`${code}: ${message}`, `hint: ${hint}`] };
  }
  const name = exception.replace(/^__main__\./, "");
  const lines = nameCells(traceback).trimEnd().split("\n");
  const at = lines.findLastIndex((line) => line === name || line.startsWith(`${name}: `));
  const evalue =
    at < 0
      ? message
      : lines
          .slice(at)
          .join("\n")
          .slice(name.length + 2);
  // For an exception of its own making the traceback says it all; where Drydock had a part in it, the hint says more.
  const isOwn = (code === "code.exception" && name !== "EOFError") || code === "code.syntax";
  return { ename: name.split(".").at(-1) ?? name, evalue, traceback: isOwn ? lines : [...lines, `hint: ${hint}`] };
}
