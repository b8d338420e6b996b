/** Part of the Python program that lists candidates: a text that does not parse, and what a slip of the keyboard can explain. */
export const SYNTAX = String.raw`
def parses(text):
    try:
        compile(text, "<edit>", "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False

def mend_syntax(text, error):
    """Edits of the lines around the place that the compiler names after which the whole text compiles."""
    lines = re.split(r"(?<=\n)", text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    named = min(max(getattr(error, "lineno", None) or 1, 1), len(lines))
    found, tries = [], 0
    for number in sorted(range(1, len(lines) + 1), key=lambda each: (abs(each - named), each)):
        if tries > 1500 or len(found) >= 60 or abs(number - named) > 40:
            break
        line = lines[number - 1]
        body = line.rstrip("\r\n")
        begin, end = starts[number - 1], starts[number - 1] + len(body)
        for start, stop, new in slips(line, body, begin, end, lines, number):
            tries += 1
            if text[start:stop] != new and parses(text[:start] + new + text[stop:]):
                found.append(((start, stop, new), number))
    return found

def slips(line, body, begin, end, lines, number):
    code = body.split("#")[0].rstrip()
    stop = begin + len(code)
    for mark in (":", ")", "]", "}", "):", "]:", '"', "'", ",", '")', "')", "))", "\\"):
        yield stop, stop, mark
    for at, char in enumerate(code):
        if char in "()[]{}:,;\"'=":
            yield begin + at, begin + at + 1, ""
        if char == "=" and code[at - 1:at] not in "=!<>" and code[at + 1:at + 2] != "=":
            yield begin + at, begin + at + 1, "=="
        if char == "." or char == ";":
            yield begin + at, begin + at + 1, ","
            yield begin + at, begin + at + 1, ":"
    for old, new in (("else if", "elif"), ("elseif", "elif"), ("&&", "and"), ("||", "or"), ("=>", ">="), ("=<", "<="), ("!", "not "), ("function ", "def "), ("++", " += 1")):
        at = code.find(old)
        if at >= 0:
            yield begin + at, begin + at + len(old), new
    stripped = body.lstrip(" \t")
    indent = begin + len(body) - len(stripped)
    widths = {""}
    for other in lines[max(0, number - 4):number + 3]:
        if other.strip():
            widths.add(other[:len(other) - len(other.lstrip(" \t"))])
    for width in sorted(widths | {each + "    " for each in widths} | {each + "\t" for each in widths if "\t" in each}):
        yield begin, indent, width
    for at in range(len(code)):
        if code[at] == " " and code[at - 1:at] not in (",", "", " "):
            yield begin + at, begin + at, ","
        if code[at] in " ,:]})" :
            for mark in (")", "]", "}"):
                yield begin + at, begin + at, mark
    if not stripped:
        yield begin, end, "pass"
    if code.endswith(":"):
        inner = body[:len(body) - len(stripped)] + "    pass"
        yield stop, stop, "\n" + inner
`;
