/**
 * Part of the Python programs that list edits: what a piece of source compiles to. An edit that compiles to what was there
 * before is none. Only the function or statement that holds the edit is compiled: a whole file would take too long.
 */
export const CODE_SHAPE = `
def shape(code):
    """What a code object does, without the positions."""
    consts = tuple(shape(each) if hasattr(each, "co_code") else (type(each).__name__, repr(each)) for each in code.co_consts)
    flags = code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, flags

def compiled(text):
    """A hash of it; None where it does not compile."""
    try:
        return hash(shape(compile(text, "<edit>", "exec", dont_inherit=True)))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None

def units(statements):
    for statement in statements:
        if isinstance(statement, ast.ClassDef):
            yield from units(statement.body)
        else:
            yield statement
`;
