/**
 * Part of the program in the sandbox: the tests and the modules that they import, loaded once, and how new code gets into
 * the functions that are loaded.
 */
export const LOADED = `
def texts_of(candidate):
    """The changed files, as bytes."""
    texts = {}
    for path, start, end, new in candidate["edits"]:
        text = texts.get(path)
        if text is None:
            text = originals[path]
        texts[path] = text[:start] + new.encode() + text[end:]
    return texts

def skeleton(code):
    consts = tuple("code" if isinstance(each, types.CodeType) else (type(each).__name__, repr(each)) for each in code.co_consts)
    return (code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags,
            code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, getattr(code, "co_exceptiontable", b""))

def inner(code):
    return [each for each in code.co_consts if isinstance(each, types.CodeType)]

def same(one, other):
    return skeleton(one) == skeleton(other) and all(same(*pair) for pair in zip(inner(one), inner(other)))

def pair_codes(old, new, pairs, top):
    """Functions whose code has to be put in the place of another. False: something that ran on loading differs."""
    if skeleton(old) == skeleton(new):
        return all(pair_codes(one, other, pairs, False) for one, other in zip(inner(old), inner(new)) if not same(one, other)) and (
            not (old.co_flags & 2) or pairs.append((old, new)) is None)
    if not old.co_flags & 2 or top or old.co_freevars != new.co_freevars:
        return False
    pairs.append((old, new))
    return True

class Loaded:
    """The tests and the modules that they import, loaded once."""
    def __init__(self):
        self.ran = set()
        paths = {os.path.join(root, path) for path in request["files"]}
        def profile(frame, event, arg):
            code = frame.f_code
            if event == "call" and code.co_filename in paths and code.co_flags & 2:
                self.ran.add((code.co_filename, code.co_firstlineno, code.co_name))
        self.runner = make_runner()
        sys.setprofile(profile)
        try:
            self.names = self.runner.collect()
        finally:
            sys.setprofile(None)

    def prepare(self):
        """What patch needs. Where a candidate is loaded anew, the original may not even be Python."""
        paths = {os.path.join(root, path) for path in request["files"]}
        self.functions = {}
        for each in gc.get_objects():
            if isinstance(each, types.FunctionType) and each.__code__.co_filename in paths:
                self.functions.setdefault(each.__code__, []).append(each)
        for path in request["files"]:
            place = os.path.join(root, path)
            if place in sys_files():
                compiled[place] = compile(originals[path], place, "exec", dont_inherit=True)
        gc.collect()
        gc.freeze()
        return self

    def patch(self, texts):
        changes = []
        for path, text in texts.items():
            place = os.path.join(root, path)
            if place not in compiled:
                compiled[place] = compile(originals[path], place, "exec", dont_inherit=True)
            new = compile(text, place, "exec", dont_inherit=True)
            pairs = []
            if not pair_codes(compiled[place], new, pairs, True) or not pairs:
                return False
            for old, fresh in pairs:
                if (place, old.co_firstlineno, old.co_name) in self.ran:
                    return False
                found = self.functions.get(old, [])
                if not found and old in inner(compiled[place]):
                    return False
                changes += [(function, fresh) for function in found]
        if not changes:
            return False
        for function, fresh in changes:
            function.__code__ = fresh
        return True

def sys_files():
    """Of modules that are loaded."""
    return {getattr(module, "__file__", None) for module in list(sys.modules.values())}

compiled, originals = {}, {}
`;
