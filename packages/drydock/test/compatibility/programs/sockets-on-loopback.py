import socket
import threading

server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b"hello"), daemon=True).start()
with socket.create_connection(server.getsockname()) as client:
    print(client.recv(5))
a, b = socket.socketpair()
a.send(b"x")
print(b.recv(1), socket.AF_INET.name)
