"""The first step of a notebook's session, executed inside the sandbox: what cells can rely on in a notebook and a
plain session does not have. The last value and the arguments of `display` come back as bundles by media type, in
place of the step's plain result; the host takes of them what is safe to show."""


def _prepare():
    import base64
    import builtins
    import json
    import sys
    import warnings

    # The interpreter around the steps is reachable through their frames alone. Where it changes, this step fails,
    # which leaves the session as it was, and results come back plain.
    interpreter = sys._getframe(2).f_globals  # noqa: SLF001  (the only way there is)
    last, limit, results = interpreter["LAST"], interpreter["RESULT_LIMIT"], interpreter["results"]
    show, run_limited = results.show, results.run_limited
    methods = {
        "text/html": "_repr_html_",
        "image/png": "_repr_png_",
        "image/jpeg": "_repr_jpeg_",
    }
    shown = []
    # A report that grows without end would be the end of the session. It is text in a text: what is shown is measured
    # as it is sent.
    room = full_room = 4 * limit

    def represent(value, method):
        made = getattr(type(value), method)(value)
        made = made[0] if isinstance(made, tuple) else made
        made = base64.b64encode(made).decode() if isinstance(made, bytes) else made
        return made if type(made) is str and len(made) <= limit else None

    def describe(value):
        bundle = {"text/plain": show(value)}
        for media, method in methods.items():
            if hasattr(type(value), method):
                bundle[media] = run_limited(lambda method=method: represent(value, method), lambda _: None)
        return {media: text for media, text in bundle.items() if text is not None}

    def fits(bundle):
        nonlocal room
        size = len(json.dumps(json.dumps(bundle)))
        if size > room:
            print("note: more was displayed than a cell can show", file=sys.stderr)
            return False
        room -= size
        return True

    def display(*values, **_):
        """Shows values as a cell shows its last one."""
        for value in values:
            bundle = describe(value)
            if not fits(bundle):
                return
            shown.append(bundle)

    def take_result(module):
        nonlocal room
        names = module.__dict__
        value = names.pop(last, None)
        # A session forgets `result` with each step, since it means that step's; in a notebook it is a variable like
        # others.
        if "result" in names:
            builtins.result = names["result"]
        bundle = None if value is None else describe(value)
        if bundle and not fits(bundle):
            bundle = {"text/plain": bundle["text/plain"]}
        bundles = {"shown": shown[:], "value": bundle}
        shown.clear()
        room = full_room
        return json.dumps(bundles)

    interpreter["take_result"] = take_result
    builtins.display = display
    # The kernel reports an uncaught exception of a cell with its traceback, and stderr does not repeat it.
    sys.excepthook = lambda *_: None
    # `plt.show()` is a habit of notebooks; figures are shown without it.
    warnings.filterwarnings("ignore", ".*non-GUI backend|.*is non-interactive")
    print(sys.version.split()[0])


_prepare()
del _prepare
