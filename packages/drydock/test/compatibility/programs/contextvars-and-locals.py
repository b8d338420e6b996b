import contextvars
import threading

var = contextvars.ContextVar("var", default=1)
local = threading.local()
local.x = 5
seen = []
t = threading.Thread(target=lambda: seen.append((var.get(), hasattr(local, "x"))))
var.set(2)
t.start()
t.join()
print(var.get(), seen)
