import asyncio
import warnings

warnings.simplefilter("ignore")
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
print(loop.run_until_complete(asyncio.sleep(0, "x")))
server = loop.run_until_complete(asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0))
print(len(server.sockets))
server.close()
loop.close()
