/**
 * Further ways to make one expectation wrong. An object that equals nearly everything, or a test that looks at one value of
 * many, fails for the first way and passes for another.
 */
export const FURTHER_FAULTS = String.raw`
MOST_FURTHER = 24

def note_further(source, node, edits, far=False):
    """Remembers, for an expectation that is made wrong by these edits, what else could be wrong in the literal."""
    if edits:
        values = list(list_values(node))[:MOST_FURTHER]
        others = [change_constant(source, value, far) for value in values]
        near = [] if far else [swap_elements(source, each) for each in list_sequences(node)]
        near += [] if far else [edit for value in values for edit in list_near(source, value)]
        FURTHER[edits[0][:2]] = ([group for group in others if group and group != edits], [[edit] for edit in near if edit][:MOST_FURTHER])
    return edits

def list_values(node):
    """The constants of a literal that each matter by themselves."""
    if isinstance(node, ast.Constant) and node.value is not Ellipsis:
        yield node
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from list_values(node.operand)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for each in node.elts:
            yield from list_values(each)
    elif isinstance(node, ast.Dict):
        for each in node.values:
            yield from list_values(each)

def list_sequences(node):
    """Lists whose order matters: what a call makes of its argument may have none."""
    if isinstance(node, (ast.List, ast.Tuple)):
        yield node
    if isinstance(node, (ast.List, ast.Tuple, ast.Dict)):
        for each in node.values if isinstance(node, ast.Dict) else node.elts:
            yield from list_sequences(each)

def swap_elements(source, node):
    """Two neighbours that differ, in each other's place."""
    for left, right in zip(node.elts, node.elts[1:]):
        texts = source.text(left), source.text(right)
        if texts[0] != texts[1] and not any(isinstance(each, ast.Starred) for each in (left, right)):
            between = source.data[source.end(left):source.start(right)].decode("utf-8")
            return (source.start(left), source.end(right), texts[1] + between + texts[0])
    return None

def list_near(source, node):
    """Values close to the expected one, which only a lax comparison takes for it."""
    value = node.value
    if type(value) is str and re.search("[A-Za-z]", value):
        text = source.text(node)
        letter = re.fullmatch(r"((?:'|\")[^'\"\\A-Za-z]*)([A-Za-z])([^'\"\\]*)((?:'|\"))", text, re.S)
        if letter and letter[1][0] == letter[4]:
            yield source.replace(node, text[:-1] + " " + text[-1])
            yield source.replace(node, letter[1] + letter[2].swapcase() + letter[3] + letter[4])
`;
