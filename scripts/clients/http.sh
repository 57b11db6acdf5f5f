#!/usr/bin/env bash
# Subscribes, sends, reads and polls events with curl, and prints each answer.
# usage: bash scripts/clients/http.sh SITE EMAIL API_KEY
set -euo pipefail
if [ $# -ne 3 ]; then
  echo "usage: $0 SITE EMAIL API_KEY" >&2
  exit 2
fi
site=${1%/} email=$2 key=$3

call() {
  echo "# $1"
  shift
  curl --silent --show-error --fail-with-body --user "$email:$key" "$@"
  echo
}

call 'the server' "$site/api/v1/server_settings"
call 'the account' "$site/api/v1/users/me"
call 'subscribe' --data 'subscriptions=[{"name":"garden"}]' "$site/api/v1/users/me/subscriptions"
opened=$(call 'open a queue' --data 'event_types=["message"]' --data 'fetch_event_types=[]' "$site/api/v1/register")
echo "$opened"
queue_id=$(sed -n 's/.*"queue_id":"\([^"]*\)".*/\1/p' <<< "$opened")
last_event_id=$(sed -n 's/.*"last_event_id":\(-\{0,1\}[0-9]*\).*/\1/p' <<< "$opened")
call 'send to a stream' --data type=stream --data to=garden --data topic=roses \
  --data-urlencode 'content=Pruned **today**' "$site/api/v1/messages"
call 'send to a person' --data type=private --data-urlencode "to=[\"$email\"]" \
  --data-urlencode 'content=A note to myself' "$site/api/v1/messages"
call 'read the newest' --get --data anchor=newest --data num_before=1 --data num_after=0 \
  --data-urlencode 'narrow=[{"operator":"stream","operand":"garden"}]' "$site/api/v1/messages"
call 'events' --get --data "queue_id=$queue_id" --data "last_event_id=$last_event_id" "$site/api/v1/events"
call 'close the queue' --request DELETE --data "queue_id=$queue_id" "$site/api/v1/events"
