#!/usr/bin/env python3
"""Submits a job as a CloudEvent 1.0 in structured mode. Needs only the standard library.

    USHER_URL=http://127.0.0.1:8460 USHER_TOKEN=… python3 publish_event.py segment.add job.json

The event's id becomes the job's id, so that the same event has no effect twice. Over NATS,
publish the same envelope to usher.submit.<kind> with the header
content-type: application/cloudevents+json.
"""

import hashlib
import json
import os
import sys
import urllib.error
import urllib.request
from datetime import datetime, timezone


def event(kind, job):
    """Returns the envelope of a job. Its id follows from the job, so that it can be sent again."""
    digest = hashlib.sha256(json.dumps(job, sort_keys=True).encode()).hexdigest()
    return {
        "specversion": "1.0",
        "id": "event-" + digest[:16],
        "source": "/crm/exports",
        "type": "com.example." + kind,
        "time": datetime.now(timezone.utc).isoformat(),
        "datacontenttype": "application/json",
        "data": job,
    }


def main():
    kind, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        body = json.dumps(event(kind, json.load(file))).encode()
    request = urllib.request.Request(os.environ["USHER_URL"] + "/v1/jobs/" + kind, data=body, method="POST")
    request.add_header("Authorization", "Bearer " + os.environ["USHER_TOKEN"])
    request.add_header("Content-Type", "application/cloudevents+json")
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            print(json.load(response)["id"])
    except urllib.error.HTTPError as error:  # problem details, RFC 9457; see publish.py for retries
        sys.exit(f"{error.code} {json.load(error)['detail']}")


if __name__ == "__main__":
    main()
