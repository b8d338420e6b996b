/** Part of the Python program that lists candidates: a text that does not parse, and what a slip of the keyboard can explain. */
export const SYNTAX = String.raw`
import time

SHORT_LINES, SYNTAX_SECONDS = 400, 8

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
    first, last = surroundings(lines, named)
    begin, stop = starts[first], starts[last]
    found, tries, until = [], 0, time.process_time() + SYNTAX_SECONDS
    for number in sorted(range(1, len(lines) + 1), key=lambda each: (abs(each - named), each)):
        if tries > 1500 or len(found) >= 60 or abs(number - named) > 40 or time.process_time() > until:
            break
        line = lines[number - 1]
        body = line.rstrip("\r\n")
        here = starts[number - 1]
        for start, end, new in slips(line, body, here, here + len(body), lines, number):
            tries += 1
            if text[start:end] == new or not parses(text[begin:start] + new + text[end:stop]):
                continue
            if (begin == 0 and stop == len(text)) or parses(text[:start] + new + text[end:]):
                found.append(((start, end, new), number))
    return found

def surroundings(lines, named):
    """The statements of the module around a line: parsing a long file for each try takes too long."""
    def is_top(number):
        return re.match(r"(def|class|async|import|from|@|[A-Za-z_]\w*\s*=)", lines[number]) is not None
    if len(lines) < SHORT_LINES:
        return 0, len(lines)
    first, last = max(0, named - 41), min(len(lines), named + 40)
    while first > 0 and not (is_top(first) and not lines[first - 1].startswith("@")):
        first -= 1
    while last < len(lines) and not (is_top(last) and not lines[last - 1].startswith("@")):
        last += 1
    return first, last

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
