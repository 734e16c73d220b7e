# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Is an upload safe whose Complete does not end?

A bare client (boto3, without Penstock and without Spark) completes uploads of one part on a local
server, and in the middle the server is killed and started again, stands still for a minute, or
every client hangs up. Then each upload that was not answered is completed once more, and its object
looked for. An upload is lost when the object is not there and no Complete makes it. At last each
upload is completed by two requests at once, of which none is cut.
"""

import concurrent.futures
import contextlib
import subprocess
import sys
import threading
import time

import harness
from bench import Bench
from harness import say
from soaking import stores

BUCKET = "completes"
CLIENT = "boto3==1.44.5"
THREADS = 64
AFTER = 40  # Completes that are answered before the strike
PATIENCE_SECONDS = 100


case = Bench(__doc__, has_store=False)
case.choice("--server", ("minio", "versitygw"))
case.server_programs("minio", "versitygw")
case.option("--rounds", 5, "of each strike")
case.option("--uploads", 200, "of each round")
case.flag("--inside", harness.argparse.SUPPRESS)
given = case.parse()
if given.inside:
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError


def run():
    if not given.inside:
        # In a Python that has the client.
        return subprocess.call([harness.python_with("completes", CLIENT), harness.BENCH / "run",
                                "completes", "--inside", *sys.argv[1:]])
    rows = {}
    with stores.server_of(case, [BUCKET]) as server:
        for strike in (killed, stood_still, hung_up, None):
            title = strike.__doc__ if strike else "two Completes at once"
            rows[title] = [sum(counts) for counts in zip(
                *(one(server, strike) for _ in range(given.rounds)))]
            say("  %s: %d of %d lost" % (title, rows[title][3], rows[title][0]))
    heads = ("%s, %d rounds of %d uploads" % (given.server, given.rounds, given.uploads),
             "not answered", "completed later", "there", "lost", "of these said to be done")
    print(harness.table([heads, *([title, *map(str, total)] for title, total in rows.items())]))
    case.save(rows=rows)
    return 0


def client(server):
    return boto3.client(
        "s3", endpoint_url=server.endpoint, region_name="us-east-1",
        aws_access_key_id=harness.ACCESS_KEY, aws_secret_access_key=harness.SECRET_KEY,
        config=Config(max_pool_connections=THREADS, retries={"total_max_attempts": 1},
                      read_timeout=PATIENCE_SECONDS,
                      s3={"addressing_style": "path"}))


def killed(server, _):
    """the server is killed"""
    server.kill()
    server.start()


def stood_still(server, _):
    """the server stands still for 60 s"""
    server.pause()
    time.sleep(60)
    server.resume()


def hung_up(server, s3):
    """the clients hang up"""
    s3.close()
    import gc
    for thing in gc.get_objects():  # the connections that threads wait on, too
        with contextlib.suppress(Exception):
            if type(thing).__name__ == "AWSHTTPConnection" and thing.sock:
                thing.sock.shutdown(2)


def uploaded(s3):
    base = "%d/" % time.time_ns()
    uploads = []
    for number in range(given.uploads):
        key = base + str(number)
        upload = s3.create_multipart_upload(Bucket=BUCKET, Key=key)["UploadId"]
        part = s3.upload_part(Bucket=BUCKET, Key=key, UploadId=upload, PartNumber=1,
                              Body=b"x" * 10_000)
        uploads.append((key, upload, [{"PartNumber": 1, "ETag": part["ETag"]}]))
    return uploads


def complete(s3, key, upload, parts):
    s3.complete_multipart_upload(
        Bucket=BUCKET, Key=key, UploadId=upload, MultipartUpload={"Parts": parts})


def one(server, strike=None):
    """Completes uploads until the strike; without one, each by two requests at once."""
    s3 = client(server)
    uploads = uploaded(s3)
    answered, struck = set(), threading.Event()

    def begin(upload):
        if struck.is_set():
            return
        with contextlib.suppress(BotoCoreError, ClientError, OSError, ValueError):
            complete(s3, *upload)
            answered.add(upload[0])

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        under_way = [pool.submit(begin, upload) for upload in uploads
                     for _ in range(1 if strike else 2)]
        if strike:
            while len(answered) < AFTER and not all(f.done() for f in under_way):
                time.sleep(0.0005)
            struck.set()
            strike(server, s3)
        concurrent.futures.wait(under_way)
    if not strike:
        return [given.uploads - len(answered),
                *later(s3, [u for u in uploads if not is_there(s3, u[0])])]
    time.sleep(2)  # What the server still does is done.
    return [given.uploads - len(answered),
            *later(client(server), [u for u in uploads if u[0] not in answered])]


def is_there(s3, key):
    try:
        s3.head_object(Bucket=BUCKET, Key=key)
        return True
    except ClientError:
        return False


def later(again, uploads):
    """How many are completed now, are there already, are lost, and of the lost said to be done."""
    done = there = lost = lies = 0
    for upload in uploads:
        try:
            complete(again, *upload)
            is_done = True
        except ClientError:
            is_done = False
        if not is_there(again, upload[0]):
            time.sleep(2)  # It may have been answered before it was done.
        if not is_there(again, upload[0]):
            lost += 1
            lies += is_done
        else:
            done += is_done
            there += not is_done
    return [done, there, lost, lies]


case.main(run)
