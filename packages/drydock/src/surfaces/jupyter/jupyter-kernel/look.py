"""Looks at the state of a session: what could follow a text, what an object is, whether code is complete. It is
executed inside the sandbox, in a step that is undone, and followed by a line that calls one of these and prints the
answer as JSON."""


def _drydock_look(question, code, position, detail):
    import json
    import re
    import sys

    main = sys.modules["__main__"].__dict__

    def resolve(path):
        """The object of a dotted name, without calling anything but its attributes."""
        import builtins

        first, *rest = path.split(".")
        value = main[first] if first in main else getattr(builtins, first)
        for name in rest:
            value = getattr(value, name)
        return value

    def complete():
        import builtins
        import keyword

        word = re.search(r"[\w.]*$", code[:position]).group()
        base, dot, start = word.rpartition(".")
        try:
            names = dir(resolve(base)) if dot else [*main, *dir(builtins), *keyword.kwlist]
        except Exception:
            names = []
        own = "_drydock_look"
        found = {name for name in names if type(name) is str and name.startswith(start) and name != own}
        if not start.startswith("_"):
            found = {name for name in found if not name.startswith("_")}
        return {"matches": sorted(found)[:1000], "start": position - len(start)}

    def inspect():
        import inspect

        before = re.search(r"[\w.]*$", code[:position]).group()
        after = re.match(r"\w*", code[position:]).group()
        path = (before + after).strip(".")
        if not path and code[:position].rstrip().endswith("("):
            path = re.search(r"([\w.]*)\s*\(\s*$", code[:position]).group(1)
        try:
            value = resolve(path)
        except Exception:
            return {"text": None}
        lines = ["Type:      %s" % type(value).__name__]
        try:
            lines.append("Signature: %s%s" % (path, inspect.signature(value)))
        except (TypeError, ValueError):
            lines.append("Value:     %s" % repr(value)[:1000])
        text = inspect.getdoc(value)
        if detail:
            try:
                text = inspect.getsource(value)
            except (TypeError, OSError):
                pass
        return {"text": "\n".join(lines) + ("\n\n" + text[:20000] if type(text) is str else "")}

    def is_complete():
        import ast
        import codeop
        import warnings

        warnings.simplefilter("ignore")
        compile_command = codeop.CommandCompiler()
        compile_command.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        lines = code.rstrip().split("\n")
        indent = re.match(r"\s*", lines[-1]).group()
        try:
            if compile_command(code, "<cell>", "exec") is not None:
                # A block may go on until a line is left empty.
                return (
                    {"status": "complete"}
                    if not indent or code.endswith("\n")
                    else {"status": "incomplete", "indent": indent}
                )
        except (SyntaxError, ValueError, OverflowError):
            return {"status": "invalid"}
        return {"status": "incomplete", "indent": indent + ("    " if lines[-1].rstrip().endswith(":") else "")}

    answer = {"complete": complete, "inspect": inspect, "is_complete": is_complete}[question]()
    print("\n" + json.dumps(answer), flush=True)
