import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Passes connections on to a port of this machine, until somebody breaks them. */
export async function openProxy(port: number) {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    const target = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    break() {
      for (const socket of open) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
