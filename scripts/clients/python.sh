#!/usr/bin/env bash
# Sends and reads a message with the installed Python bindings (`import zulip` must work).
# usage: bash scripts/clients/python.sh [CONFIG_FILE]      the default file is ~/.zuliprc
set -euo pipefail
config=${1:-$HOME/.zuliprc}
[ -r "$config" ] || { echo "$config cannot be read; write it with scripts/clients/write-config.sh" >&2; exit 1; }
python=${PYTHON:-python3}
"$python" -c 'import zulip' || { echo "install the bindings first, for example: pip install zulip" >&2; exit 1; }
"$python" - "$config" <<'PROGRAM'
import sys
import zulip

# Scripts name their client; the constructor requests the server version with any name.
client = zulip.Client(config_file=sys.argv[1], client="OxbowCheck/1")
print("bindings", zulip.__version__)


def check(what, answer):
    assert answer["result"] == "success", (what, answer)
    print("ok", what)
    return answer


check("profile", client.get_profile())
check("subscribe", client.add_subscriptions([{"name": "garden"}]))
sent = check("send", client.send_message({"type": "stream", "to": "garden", "topic": "roses", "content": "Hello"}))
found = check("read", client.get_messages({
    "anchor": "newest", "num_before": 1, "num_after": 0, "narrow": [{"operator": "stream", "operand": "garden"}],
}))
assert found["messages"][0]["id"] == sent["id"], found
check("edit", client.update_message({"message_id": sent["id"], "content": "Hello again"}))
check("react", client.add_reaction({"message_id": sent["id"], "emoji_name": "octopus"}))
check("members", client.get_members())
queue = check("register", client.register(event_types=["message"]))
check("send", client.send_message({"type": "private", "to": [client.email], "content": "A note to myself"}))
events = check("events", client.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"]))
assert events["events"][0]["message"]["content"], events
check("deregister", client.deregister(queue["queue_id"]))
PROGRAM
