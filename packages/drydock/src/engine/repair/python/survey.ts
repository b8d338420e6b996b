/** Part of the program in the sandbox: runs the tests on the untouched tree and notes which lines each of them executes. */
export const SURVEY = String.raw`
MAX_CALLS = 24
MAX_REPR = 300

class Tracer:
    def __init__(self, paths):
        self.files = {os.path.join(root, path): number for number, path in enumerate(paths)}
        self.files.update({path: number for number, path in enumerate(paths)})
        self.lines, self.calls, self.counts = set(), [], {}

    def __call__(self, frame, event, arg):
        number = self.files.get(frame.f_code.co_filename)
        if number is None:
            return None
        self.note_call(frame, number)
        lines = self.lines
        def local(frame, event, arg):
            if event == "line":
                lines.add((number, frame.f_lineno))
            return local
        # A module begins before its first line.
        if frame.f_lineno:
            lines.add((number, frame.f_lineno))
        return local

    def note_call(self, frame, number):
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        if code.co_flags & 0x0C or "<" in name or code.co_argcount == 0 or self.counts.get((number, name), 0) >= MAX_CALLS:
            return
        names = code.co_varnames[:code.co_argcount]
        if code.co_kwonlyargcount or names[:1] in (("self",), ("cls",)):
            return
        try:
            text = repr([frame.f_locals[each] for each in names])
            if len(text) > MAX_REPR or self.counts.get((number, name, text)):
                return
            ast.literal_eval(text)
        except BaseException:
            return
        self.counts[number, name, text] = 1
        self.counts[number, name] = self.counts.get((number, name), 0) + 1
        self.calls.append([number, name, text])

def survey_child(output, names, limit):
    """Writes a line for each test: in a file that outlives it, if it is ended."""
    tracer = Tracer(request["files"])
    def put(**words):
        os.write(output, (json.dumps(words) + "\n").encode())
    def late(number, frame):
        raise OutOfTime()
    signal.signal(signal.SIGPROF, late)
    sys.settrace(tracer)
    threading.settrace(tracer)
    runner = make_runner()
    signal.setitimer(signal.ITIMER_PROF, limit * 4, 0.5)
    every = runner.collect()
    signal.setitimer(signal.ITIMER_PROF, 0)
    imported = sorted(tracer.lines)
    put(collected=every, errors=runner.errors, imported=imported)
    state = {}
    def begin(name):
        put(begun=name)
        tracer.lines.clear()
        tracer.calls.clear()
        state["since"] = time.monotonic()
        # Where several never end, the others are not waited for as long.
        signal.setitimer(signal.ITIMER_PROF, limit if state.get("late", 0) < 2 else limit / 5, 0.5)
        return True
    def note(name, ok, places):
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.monotonic() - state["since"]
        if seconds > limit * 0.9:
            state["late"] = state.get("late", 0) + 1
        put(test=name, ok=bool(ok), seconds=seconds, lines=sorted(tracer.lines), places=places, calls=tracer.calls)
    runner.run(every if names is None else names, begin, note)
    sys.settrace(None)
    put(modules=list_modules(), ended=True)

def survey():
    end = time.monotonic() + request["seconds"]
    tests, order, imported, modules, errors, todo = {}, [], [], [], 0, None
    for round in range(60):
        output = make_file("survey")
        child = Child(lambda: survey_child(output, todo, request["testSeconds"]))
        ended = child.wait(max(0.5, min(end - time.monotonic(), request["testSeconds"] * 20 + 5)))
        child.end()
        text = read_all(output)
        os.close(output)
        begun, complete, is_first = None, False, True
        for line in text.splitlines():
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if "collected" in said and todo is None:
                order, errors, imported = said["collected"], said["errors"], said["imported"]
            if "begun" in said:
                begun = said["begun"]
            if "test" in said:
                tests[said["test"]] = said
                begun, is_first = None, False
            if "ended" in said:
                complete, modules = True, said["modules"]
        # There was no time for it, which says nothing, unless it is all that is known.
        is_cut = time.monotonic() > end - 0.1 and any(not said["ok"] for said in tests.values())
        # One that shared the round's time with others gets a round of its own before it is said to never end.
        if begun is not None and not is_cut and (ended or is_first):
            tests[begun] = {"test": begun, "ok": False, "seconds": None, "lines": [], "places": [], "calls": []}
        left = [name for name in order if name not in tests]
        if complete or not left or time.monotonic() > end or begun is None:
            break
        todo = left
    send(**summarize(order, tests, imported, modules, errors))

def summarize(order, tests, imported, modules, errors):
    lines, calls, places = {}, [], []
    for said in tests.values():
        for number, line in said["lines"]:
            counts = lines.setdefault((number, line), [0, 0])
            counts[1 if said["ok"] else 0] += 1
        for call in said["calls"]:
            if call not in calls and len(calls) < 400:
                calls.append(call)
        if not said["ok"]:
            places += [place for place in said["places"] if place[0] and place[1]][::-1]
    known = {os.path.join(root, path): number for number, path in enumerate(request["files"])}
    known.update({path: number for number, path in enumerate(request["files"])})
    named = list(dict.fromkeys((known[path], line) for path, line in places if path in known))
    untried = [name for name in order if name not in tests]
    return dict(survey=dict(
        tests=[[name, tests[name]["ok"], tests[name]["seconds"]] for name in order if name in tests],
        untried=len(untried), errors=errors, imported=imported[:20000], modules=modules, calls=calls, places=named[:50],
        lines=[[number, line, failed, passed] for (number, line), (failed, passed) in sorted(lines.items())]))
`;
