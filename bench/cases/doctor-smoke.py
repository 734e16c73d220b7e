# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the doctor say of real servers, and of the usual mistakes?

Starts MinIO (plain and with TLS) and versitygw on 127.0.0.1, makes one mistake after another, and
compares exit code, time and words of `penstock doctor` with what they should be.
"""
import contextlib
import os
import signal
import socket
import subprocess
import time

import drivers
import harness
from bench import Bench
from soaking import stores

MOST_SECONDS = 30  # for one run of the doctor, whatever is wrong

case = Bench(__doc__, has_store=False, has_json=False)
case.server_programs("minio", "versitygw")
case.jars_option()
case.flag("--show", "print what the doctor says")
given = case.parse()


def run():
    certificates = harness.RUN / "certificates"
    harness.make_certificate(certificates)
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(stores.server(case, kind, ["lake"], certificate))
                   for name, kind, certificate in (
                       ("minio", "minio", None), ("tls", "minio", certificates),
                       ("versitygw", "versitygw", None))}
        for server in servers.values():
            harness.made(server.data / "lake" / "data")
        (servers["versitygw"].data / "lake/data/object").write_bytes(os.urandom(9 << 20))
        mute = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=50))
        ports = {**{name: server.port for name, server in servers.items()},
                 "nobody": harness.free_port(),
                 # It takes connections and never says a word.
                 "mute": mute.getsockname()[1]}
        failures = [name for name, *rest in cases(ports) if not holds(name, *rest)]
        failures += [] if cleans_up(ports["minio"], servers["minio"].data / "lake") else ["Ctrl-C"]
    print("all hold" if not failures else "do not hold: " + ", ".join(failures))
    return 1 if failures else 0


def cases(ports):
    """Name, target, endpoint, more arguments, environment, exit code, words."""
    http = {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
    write = ["--write"]
    for store in "minio", "versitygw":
        yield (store, "s3://lake/data", http[store], write, {}, 0,
               ["honoured", "created, listed and aborted", "PUT in"])
    yield ("reads", "s3://lake/data", http["versitygw"], [], {}, 0, ["MiB/s", "only with --write"])
    yield "wrong port", "s3://lake", http["nobody"], [], {}, 1, ["refuses connections"]
    yield "mute port", "s3://lake", http["mute"], [], {}, 1, ["does not answer"]
    yield "wrong secret", "s3://lake", http["minio"], [], {"AWS_SECRET_ACCESS_KEY": "nonsense"}, 1, [
        "SignatureDoesNotMatch", "credentials that this store knows"]
    yield "wrong secret on versitygw", "s3://lake", http["versitygw"], [], {
        "AWS_SECRET_ACCESS_KEY": "nonsense"}, 1, ["SignatureDoesNotMatch"]
    yield "missing bucket", "s3://lakes", http["minio"], write, {}, 1, [
        "NoSuchBucket", "the bucket was not reached"]
    yield "missing bucket on versitygw", "s3://lakes", http["versitygw"], [], {}, 1, ["NoSuchBucket"]
    yield "TLS by http", "s3://lake", http["tls"], [], {}, 1, ["the port expects TLS", "https://"]
    yield ("http by TLS", "s3://lake", f"https://127.0.0.1:{ports['minio']}", [], {}, 1,
           ["does not speak TLS", "http://"])
    yield ("own certificate", "s3://lake", f"https://127.0.0.1:{ports['tls']}", [], {}, 1,
           ["TLS was refused", "trustStore"])
    yield "no such host", "s3://lake", "http://store.invalid", [], {}, 1, ["has no address"]
    yield ("virtual hosts", "s3://lake", "aws", ["--conf", "penstock.endpoint=localhost.invalid"],
           {}, 1, ["has no address"])
    yield "no bucket", "lake", http["minio"], [], {}, 2, ["names no bucket"]


def command(target, endpoint, more):
    return drivers.tool(case.jars, "doctor", target, "--endpoint", endpoint, *more, heap=None)


def environment(more=None):
    return {**drivers.tool_environment(), **(more or {})}


def holds(name, target, endpoint, more, env, code, words):
    before = time.monotonic()
    try:
        ran = subprocess.run(command(target, endpoint, more), env=environment(env), text=True,
                             capture_output=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"{name:28} hangs")
        return False
    said = " ".join((ran.stdout + ran.stderr).split())
    missing = [word for word in words if word not in said]
    wide = [line for line in ran.stdout.splitlines()[1:] if len(line) > 80]
    secret = any(value in said for value in (harness.SECRET_KEY, "nonsense"))
    good = ran.returncode == code and not missing and not wide and not secret
    print(f"{name:28} {'holds' if good else 'DOES NOT HOLD':14} {time.monotonic() - before:5.1f} s")
    if given.show or not good:
        print(ran.stdout + ran.stderr)
        print(f"  exit code {ran.returncode}, missing {missing}, wide {wide}, secret {secret}")
    return good


def cleans_up(port, bucket):
    """Ctrl-C as soon as something of --write is seen leaves nothing."""
    interrupted = 0
    for _ in range(5):
        doctor = subprocess.Popen(
            command("s3://lake/data", f"http://127.0.0.1:{port}", ["--write"]), env=environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while doctor.poll() is None and not leftovers(bucket):
            time.sleep(0.001)
        doctor.send_signal(signal.SIGINT)
        interrupted += doctor.wait(MOST_SECONDS) == 130
    good = interrupted > 0 and not leftovers(bucket)
    print(f"{'Ctrl-C':28} {'holds' if good else 'DOES NOT HOLD':14} {interrupted} of 5 interrupted")
    return good


def leftovers(bucket):
    return list((bucket / "data").glob("_penstock_doctor_*"))


case.main(run)
