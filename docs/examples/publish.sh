#!/bin/sh
# Submits a job to usher over HTTP and waits for its end, with curl.
#
#   USHER_URL=http://127.0.0.1:8460 USHER_TOKEN=… ./publish.sh segment.add job.json
#
# The job needs an id, so that it can be sent again: the same job has no effect twice.
# curl repeats a request that cannot connect, and after 408, 429 and 5xx, as Retry-After says.
set -eu
kind=$1
file=$2

# usher URL-PATH … prints the body of a response, and fails with it on an error.
usher() {
  path=$1
  shift
  curl --silent --show-error --fail-with-body --max-time 60 \
    --retry 8 --retry-connrefused --retry-max-time 300 \
    --header "Authorization: Bearer $USHER_TOKEN" "$@" "$USHER_URL$path"
}

# field NAME prints the first text of this name in the JSON on stdin; use jq if you have it.
field() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'; }

if ! answer=$(usher "/v1/jobs/$kind" --header 'Content-Type: application/json' --data-binary "@$file"); then
  echo "$answer" >&2
  exit 1
fi
id=$(printf '%s' "$answer" | field id)

while :; do
  record=$(usher "/v1/jobs/$id")
  state=$(printf '%s' "$record" | sed 's/.*"state":"\([a-z]*\)","attempts".*/\1/')
  case $state in
  done) break ;;
  failed | cancelled)
    echo "$record" >&2
    exit 1
    ;;
  esac
  sleep 1
done
tally=$(printf '%s' "$record" | sed 's/.*"tally":{"read":\([0-9]*\),"accepted":\([0-9]*\).*/\2 of \1/')
echo "$id done: $tally rows accepted"
