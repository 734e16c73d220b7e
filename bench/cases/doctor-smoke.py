# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the doctor say of real servers, and of the usual mistakes?

Starts MinIO (plain and with TLS) and versitygw on 127.0.0.1, makes one mistake after another, and
compares exit code, time and words of `penstock doctor` with what they should be.

  bench/run doctor-smoke [--minio PATH] [--versitygw PATH] [--show]
"""
import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JAR = ROOT / "dist/target/penstock-cli.jar"
GO_BIN = pathlib.Path.home() / "go/bin"
ACCESS, SECRET = "penstock", "penstock-secret"
MOST_SECONDS = 30  # for one run of the doctor, whatever is wrong


def main():
    options = arguments()
    work = pathlib.Path(tempfile.mkdtemp(prefix="doctor-smoke-"))
    servers = []
    try:
        ports = start(options, work, servers)
        failures = [name for name, *case in cases(ports) if not holds(name, *case, options.show)]
        failures += [] if cleans_up(ports["minio"], work / "minio/lake") else ["Ctrl-C"]
    finally:
        for server in servers:
            server.terminate()
            server.wait()
        shutil.rmtree(work, ignore_errors=True)
    print("all hold" if not failures else "do not hold: " + ", ".join(failures))
    return 1 if failures else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in "minio", "versitygw":
        parser.add_argument("--" + name, default=shutil.which(name) or str(GO_BIN / name))
    parser.add_argument("--show", action="store_true", help="print what the doctor says")
    return parser.parse_args()


def start(options, work, servers):
    ports = {name: free_port() for name in ("minio", "tls", "versitygw", "nobody")}
    for name in "minio", "tls", "versitygw":
        data = work / name / "lake" / "data"
        data.mkdir(parents=True)
    (work / "versitygw/lake/data/object").write_bytes(os.urandom(9 << 20))
    certificate(work / "certs")
    at = lambda name: f"127.0.0.1:{ports[name]}"
    minio = [options.minio, "server", "--quiet", "--address"]
    commands = [
        minio + [at("minio"), str(work / "minio")],
        minio + [at("tls"), "--certs-dir", str(work / "certs"), str(work / "tls")],
        [options.versitygw, "--quiet", "--port", at("versitygw"), "posix", str(work / "versitygw")],
    ]
    names = {"MINIO_ROOT_USER": ACCESS, "MINIO_ROOT_PASSWORD": SECRET,
             "ROOT_ACCESS_KEY": ACCESS, "ROOT_SECRET_KEY": SECRET}
    for command in commands:
        log = open(work / f"server-{len(servers)}.log", "w")
        servers.append(subprocess.Popen(
            command, env=os.environ | names, stdout=log, stderr=subprocess.STDOUT))
    for name in "minio", "tls", "versitygw":
        wait_for(ports[name])
    ports["mute"] = mute_port()
    return ports


def certificate(directory):
    directory.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(directory / "private.key"), "-out", str(directory / "public.crt")],
        check=True, capture_output=True)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


KEPT = []


def mute_port():
    """A port that takes connections and never says a word."""
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    s.listen(50)
    KEPT.append(s)
    return s.getsockname()[1]


def wait_for(port):
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"no server came up on port {port}")


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
    return ["java", "-jar", str(JAR), "doctor", target, "--endpoint", endpoint] + more


def environment(more=None):
    return os.environ | {"AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET} | (more or {})


def holds(name, target, endpoint, more, env, code, words, show):
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
    secret = any(value in said for value in (SECRET, "nonsense"))
    good = ran.returncode == code and not missing and not wide and not secret
    print(f"{name:28} {'holds' if good else 'DOES NOT HOLD':14} {time.monotonic() - before:5.1f} s")
    if show or not good:
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


if __name__ == "__main__":
    sys.exit(main())
