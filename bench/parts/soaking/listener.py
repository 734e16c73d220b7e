# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A port that takes connections, each in a thread of its own."""

import contextlib
import socket
import threading


class Listener:
    """Keeps its port while it is closed."""

    def __init__(self, address="127.0.0.1", port=0):
        self.address, self.port, self.listener = address, port, None
        self.lock = threading.Lock()

    def listen(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind((self.address, self.port))
        self.listener.listen(512)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, args=[self.listener], daemon=True).start()

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection):
        raise NotImplementedError

    def close(self):
        # A thread in accept() keeps the port busy until it is woken.
        shut(self.listener)
        self.listener.close()


def shut(end):
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
