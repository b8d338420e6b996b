import { CODE_SHAPE } from "../../source/code-shape.ts";
import { SOURCE_TEXT } from "../../source/source-text.ts";
import { EDIT_RULES } from "./edit-rules.ts";

/**
 * The last part: what remains of the edits. An edit that no longer compiles, that compiles to what was there before, or to
 * what an earlier edit gives, is none.
 */
const MAIN = String.raw`
def distinct(source, edits):
    kept, seen = [], set()
    edits = sorted(edits)
    for statement in units(source.tree.body):
        first = min([statement] + list(getattr(statement, "decorator_list", [])), key=lambda node: node.lineno)
        start, end = source.starts[first.lineno - 1], source.end(statement)
        here = edits[bisect.bisect_left(edits, (start,)):bisect.bisect_left(edits, (end,))]
        if not here:
            continue
        text = source.text[start:end]
        head = "if 1:\n" if text[0] in " \t" else ""
        original = compiled(head + text)
        known = {original}
        for edit in here:
            if edit in seen:
                continue
            seen.add(edit)
            result = compiled(head + text[:edit[0] - start] + edit[2] + text[edit[1] - start:])
            if result is not None and result not in known:
                known.add(result)
                kept.append(edit)
    return kept

def list_edits(text, lines):
    source = Source(text)
    rules = EditRules(source)
    rules.visit(source.tree)
    wanted = [edit for edit in rules.edits
              if lines is None or any(low <= source.line(edit[0]) <= high for low, high in lines)]
    return [[source.utf16(start), source.utf16(end), new, source.line(start), operator]
            for start, end, new, operator in distinct(source, wanted)]

import warnings
warnings.simplefilter("ignore")
answer = []
for file in json.loads(sys.stdin.buffer.read()):
    try:
        answer.append(list_edits(file["text"], file["lines"]))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError, IndexError):
        answer.append(None)
sys.stdout.write(json.dumps(answer))
`;

export const LIST_PROGRAM = SOURCE_TEXT + CODE_SHAPE + EDIT_RULES + MAIN;
