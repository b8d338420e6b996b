/**
 * Writes what tests compare with in another way: the values stay the same, and neither the text of a test nor its compiled
 * code holds them any more. A change that takes its answers from there has none then.
 */
export const SAME = String.raw`
MOST_SAME = 5000
# What stands for the values that it is given, or compares them.
TAKES = VALUES | set(EQUALS) | set(OPPOSITES) | MATCHERS | CALLED | CLOSE | {"param", "startswith", "endswith"}
ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}

def other_words(value, at):
    """An expression with this value; None where there is no other."""
    if type(value) is int:
        digest = hashlib.sha256((ASKED.get("salt", "") + "same" + str(at)).encode()).digest()
        away = 1000 + int.from_bytes(digest[:3], "big")
        return '(int("%d") - %d)' % (value + away, away)
    if type(value) is float:
        return "float(%s)" % other_words(repr(value), at)
    if type(value) is str and value:
        return '"".join(chr(ord(c) ^ 1) for c in %s)' % ascii("".join(chr(ord(c) ^ 1) for c in value))
    if type(value) is bytes and value:
        return "bytes(c ^ 1 for c in %r)" % bytes(c ^ 1 for c in value)
    return None

def list_plain(node):
    """Nodes in their order, without what stands in formatted texts: Python does not say where."""
    yield node
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from list_plain(child)

def list_compared(node):
    """Expressions whose literals say what is wanted, or what is given."""
    if isinstance(node, ast.Compare):
        if not any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops):
            yield from [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and call_name(node) in TAKES:
        yield from node.args
        yield from [keyword.value for keyword in node.keywords if keyword.arg in EXPECTED]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and not is_identity(node):
        yield node.value
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter

# Names that tests compare by identity: another way to the same value may be another object.
IDENTITIES = set()

def note_identities(source):
    IDENTITIES.clear()
    for node in list_plain(source.tree):
        if isinstance(node, ast.Compare) and any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops):
            IDENTITIES.update(name_of(side) for side in [node.left, *node.comparators])

def is_identity(node):
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(name_of(part) in IDENTITIES for target in targets for part in ast.walk(target))

def is_failure(node):
    """A comparison that must not hold: not a > b, assertFalse(a > b), if a > b: fail()"""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Call) and call_name(node) in ("assertFalse", "assert_false") and node.args:
        return node.args[0]
    if isinstance(node, ast.If) and any(map(fails, node.body)):
        return node.test
    return None

def order_fully(source, node):
    """What is neither more nor less than anything is not less either: it does not compare with itself."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in ORDERS:
        return []
    sign = ORDERS[type(node.ops[0])]
    start, end = source.end(node.left), source.start(node.comparators[0])
    if source.data[start:end].decode("utf-8").strip() != sign:
        return []
    before, after = source.wrap(node, "(lambda a, b: a %s b or a != a or b != b)(" % sign, ")")
    return [before, (start, end, ", "), after]

def write_otherwise(source):
    """Edits that change no value; none where they break the syntax."""
    edits, taken = [], set()
    note_identities(source)
    for part in list_plain(source.tree):
        edits += order_fully(source, is_failure(part))
        for value in (value for each in list_compared(part) for value in list_values(each)):
            text = other_words(value.value, value.lineno)
            if text is not None and source.start(value) not in taken:
                taken.add(source.start(value))
                edits.append(source.replace(value, text))
    edits = edits[:MOST_SAME]
    return edits if edits and parses(source.apply([edits])) else []

# Comments that tools read.
DIRECTIVE = re.compile(r"#\s*(!|-\*-|type:|noqa|pragma|fmt:|pylint|ruff|mypy|pyright|doctest)|coding[:=]")
# Tests that ask what they are called, or are named elsewhere by that.
ASKS_NAME = re.compile(rb"_testMethodName|\.id\(\)|\bnode\.name|request\.node|shortDescription|snapshot|\bdepend")

def other_letters(text, parts=None):
    """The same text with other letters and digits; only in these parts of it, where some are named."""
    shift = 1 + hashlib.sha256((ASKED.get("salt", "") + text).encode()).digest()[0] % 8
    def turn(letter):
        for first, count in (("0", 10), ("a", 26), ("A", 26)):
            if 0 <= ord(letter) - ord(first) < count:
                return chr((ord(letter) - ord(first) + shift) % count + ord(first))
        return letter
    turned = "".join(map(turn, text))
    if parts is None:
        return turned
    inside = {at for start, end in parts for at in range(start, end)}
    return "".join(turned[at] if at in inside else letter for at, letter in enumerate(text))

DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

def say_aside(source):
    """Edits of what no test needs to pass, and who reads it could take for an answer: comments, docstrings, messages."""
    edits = []
    try:
        for token in tokenize.tokenize(io.BytesIO(source.data).readline):
            if token.type == tokenize.COMMENT and not DIRECTIVE.match(token.string):
                start = source.starts[token.start[0] - 1] + len(token.line[:token.start[1]].encode("utf-8"))
                edits.append((start, start + len(token.string.encode("utf-8")), other_letters(token.string)))
    except (SyntaxError, tokenize.TokenError):
        return []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Constant) and type(node.msg.value) is str:
            edits.append(source.replace(node.msg, ascii(other_letters(node.msg.value))))
        if not isinstance(node, DOCUMENTED) or b"__doc__" in source.data:
            continue
        text = ast.get_docstring(node, clean=False)
        if text and ">>>" not in text:
            edits.append(source.replace(node.body[0].value, ascii(other_letters(text))))
    edits = edits[:MOST_SAME]
    return edits if edits and parses(source.apply([edits])) else []

def list_told(node):
    """Texts that a test compares with: its name may say them."""
    for part in list_plain(node):
        for value in (value for each in list_compared(part) for value in list_values(each)):
            if type(value.value) is str and len(value.value) > 1:
                yield value.value.lower()

def count_words(source):
    """How often each word stands in a file; None where its tests are asked what they are called."""
    if ASKS_NAME.search(source.data):
        return None
    return collections.Counter(re.findall(rb"\w+", source.data))

def name_otherwise(source, node, words):
    """Another name for a test whose name says numbers, or texts that it compares with; None where it can't be changed."""
    if words is None or words[node.name.encode()] != 1 or not node.name.isascii():
        return None
    parts = [found.span() for found in re.finditer(r"\d+", node.name[4:])]
    for word in list_told(node):
        parts += [found.span() for found in re.finditer(re.escape(word), node.name[4:].lower())]
    if not parts:
        return None
    name = node.name[:4] + other_letters(node.name[4:], parts)
    start = source.data.index(node.name.encode(), source.start(node))
    return None if words[name.encode()] else (name, [(start, start + len(name), name)])
`;
