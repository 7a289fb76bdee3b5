#!/bin/sh
# Starts the server of the add-on as user 1000, with the options that were chosen in Home Assistant.
set -eu
DATA_DIR=/data/switchboard
install -d -o 1000 -g 1000 -m 700 "$DATA_DIR"
NETWORK=$(node -p 'JSON.parse(require("node:fs").readFileSync("/data/options.json", "utf8")).network')
export DATA_DIR NETWORK
exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all switchboard serve
