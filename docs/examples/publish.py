#!/usr/bin/env python3
"""Submits a job to usher over HTTP and waits for its end. Needs only the standard library.

    USHER_URL=http://127.0.0.1:8460 USHER_TOKEN=… python3 publish.py segment.add job.json

The job needs an id, so that it can be sent again: the same job has no effect twice.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

URL = os.environ["USHER_URL"].rstrip("/")
TOKEN = os.environ["USHER_TOKEN"]
ATTEMPTS = 8


def call(method, path, body=None):
    """Returns the JSON of a response. Repeats a request that usher cannot take now."""
    for attempt in range(ATTEMPTS):
        wait = min(2**attempt, 60)
        request = urllib.request.Request(URL + path, data=body, method=method)
        request.add_header("Authorization", "Bearer " + TOKEN)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:  # problem details, RFC 9457
            if error.code not in (408, 429, 500, 502, 503, 504):
                sys.exit(explain(error))
            wait = int(error.headers.get("Retry-After", wait))
        except OSError as error:  # no connection, or it broke off
            print(f"no answer, trying again: {error}", file=sys.stderr)
        time.sleep(wait + random.random())  # so that publishers do not all come back at once
    sys.exit(f"{method} {path}: no answer after {ATTEMPTS} attempts")


def explain(error):
    try:
        problem = json.load(error)
    except ValueError:
        return f"{error.code} {error.reason}"
    lines = [f"{error.code} {problem['detail']}"]
    lines += [f"{issue['pointer']} {issue['message']}" for issue in problem.get("errors", [])]
    return "\n".join(lines)


def main():
    kind, path = sys.argv[1:]
    with open(path, "rb") as file:
        job = call("POST", "/v1/jobs/" + kind, file.read())["id"]
    while True:
        record = call("GET", "/v1/jobs/" + job)
        if record["state"] in ("done", "failed", "cancelled"):
            break
        time.sleep(1)
    if record["state"] != "done":
        sys.exit(f"{job} {record['state']}: {json.dumps(record['error'])}")
    tally = record["tally"]
    print(f"{job} done: {tally['accepted']} of {tally['read']} rows accepted")


if __name__ == "__main__":
    main()
