import { CODE_SHAPE } from "../../source/code-shape.ts";
import { SOURCE_TEXT } from "../../source/source-text.ts";
import { EXPRESSIONS } from "./expressions.ts";
import { IDIOMS } from "./idioms.ts";
import { NEIGHBOUR_RULES } from "./neighbours.ts";
import { RULES } from "./rules.ts";
import { SCOPES } from "./scopes.ts";
import { STATEMENTS } from "./statements.ts";
import { STRUCTURES } from "./structures.ts";
import { SYNTAX } from "./syntax.ts";

/** Candidates in the order of their likelihood. One that compiles to what was there before, or to what an earlier one gives, is none. */
const MAIN = String.raw`
class Unit:
    """A function or a statement at the top: what is compiled to see whether an edit changes anything."""
    def __init__(self, source, statement):
        first = min([statement] + list(getattr(statement, "decorator_list", [])), key=lambda node: node.lineno)
        self.start = source.starts[first.lineno - 1]
        self.end = source.starts[min(statement.end_lineno, len(source.starts) - 1)]
        self.text = source.text[self.start:self.end]
        self.head = "if 1:\n" if self.text[:1] in (" ", "\t") else ""
        self.known = {compiled(self.head + self.text)}
        self.name = getattr(statement, "name", "")
        self.first = first.lineno

    def is_new(self, start, end, new):
        if start < self.start or end > self.end:
            return True
        result = compiled(self.head + self.text[:start - self.start] + new + self.text[end - self.start:])
        if result is None or result in self.known:
            return False
        self.known.add(result)
        return True

def list_file(file, hints, seed):
    weights = {int(line): weight for line, weight in file["weights"].items()}
    try:
        source = Source(file["text"])
    except (SyntaxError, ValueError, tokenize.TokenError) as error:
        return None, [(1.0, edit, "syntax", line, None) for edit, line in mend_syntax(file["text"], error)]
    rules = Rules(source, weights, hints)
    rng = random.Random(seed)
    listed = []
    for edit, (score, kind, unit, line) in rules.run().items():
        listed.append((score * (1 + 0.02 * rng.random()), edit, kind, line, unit))
    return source, listed

def main():
    request = json.loads(sys.stdin.buffer.read())
    sources, every, made = [], [], {}
    for number, file in enumerate(request["files"]):
        try:
            source, listed = list_file(file, request["hints"], request["seed"])
        except (RecursionError, MemoryError):
            source, listed = None, []
        sources.append(source)
        every += [(-score, number, edit, kind, line, unit) for score, edit, kind, line, unit in listed]
    every.sort(key=lambda item: item[:3])
    kept = []
    for score, number, (start, end, new), kind, line, unit in every:
        if len(kept) >= request["limit"]:
            break
        source = sources[number]
        if source is None:
            kept.append([number, start, end, new, line, kind, -score])
            continue
        if (number, unit) not in made:
            made[number, unit] = Unit(source, unit)
        if made[number, unit].is_new(start, end, new):
            kept.append([number, source.utf16(start), source.utf16(end), new, line, kind, round(-score, 5)])
    sys.stdout.write(json.dumps({"found": len(every), "candidates": kept}))

import warnings
warnings.simplefilter("ignore")
sys.setrecursionlimit(10000)
main()
`;

export const LIST_PROGRAM =
  SOURCE_TEXT +
  CODE_SHAPE +
  SCOPES +
  EXPRESSIONS +
  STRUCTURES +
  STATEMENTS +
  IDIOMS +
  NEIGHBOUR_RULES +
  RULES +
  SYNTAX +
  MAIN;
