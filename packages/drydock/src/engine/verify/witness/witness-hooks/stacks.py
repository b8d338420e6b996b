"""In debug mode, which unittest sets for asynchronous tests, asyncio keeps with each task the stack that made it: with
the lines of its files, tests among them. Here a line is read when somebody looks at it, and on that one's account."""


def _keep_lines_unread(name, spec):
    if name != "asyncio" or spec is None or not spec.origin or _own(spec.origin) is not None:
        return
    import traceback

    place = spec.origin.rpartition("/")[0] + "/"
    extract = traceback.extract_stack

    def extract_stack(f=None, limit=None):
        asker = sys._getframe(1)
        if not asker.f_code.co_filename.startswith(place):
            return extract(asker if f is None else f, limit)
        walked = traceback.walk_stack(asker if f is None else f)
        stack = traceback.StackSummary.extract(walked, limit=limit, lookup_lines=False)
        stack.reverse()
        return stack

    traceback.extract_stack = extract_stack


observers.append(_keep_lines_unread)
