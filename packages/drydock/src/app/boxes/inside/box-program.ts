import { FILES_PROGRAM } from "./files-program.ts";
import { PROCESSES_PROGRAM } from "./processes-program.ts";

/*
 * The program that serves a box, inside it: nothing but Python's own library. It answers requests, one JSON object a line, over
 * a terminal in raw mode, because a terminal is read no faster than the host takes it. It shares its user with the code that it
 * runs, so that nothing it says is trusted further than that code.
 */
const SERVE = String.raw`
OPERATIONS = {
    "read": do_read, "write": do_write, "edit": do_edit, "glob": do_glob, "grep": do_grep,
    "list": do_list, "fetch": do_fetch, "delete": do_delete, "exec": do_exec,
    "terminal": do_terminal, "start": do_start, "feed": do_feed, "resize": do_resize, "end": do_end, "end_input": do_end_input, "interrupt": do_interrupt,
}


def serve(message):
    try:
        tell({"id": message["id"], "result": OPERATIONS[message["op"]](**message["params"])})
    except Refused as error:
        tell({"id": message["id"], "error": str(error), "kind": error.kind})
    except PermissionError as error:
        tell({"id": message["id"], "error": "The policy does not allow that: %s." % error, "kind": "denied"})
    except Exception as error:
        tell({"id": message["id"], "error": "%s: %s" % (type(error).__name__, error), "kind": "failed"})


def main():
    tty.setraw(0)
    tell({"ready": True, "root": ROOT})
    waiting = b""
    while data := os.read(0, 65536):
        *lines, waiting = (waiting + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message["op"] == "taken":
                do_taken(**message["params"])
            else:
                threading.Thread(target=serve, args=(message,), daemon=True).start()


if len(sys.argv) > 2 and sys.argv[1] == "grep":
    print(json.dumps(grep_main(sys.argv[2])))
else:
    main()
`;

const SOURCE = `${FILES_PROGRAM}\n${PROCESSES_PROGRAM}\n${SERVE}`;

/** It knows its own text: a search runs in a copy of it. */
export const BOX_PROGRAM = `PROGRAM = ${JSON.stringify(SOURCE)}\nexec(PROGRAM)\n`;
