#!/bin/sh
# Creates the secrets of compose.cluster.yaml, once.
set -eu
directory=$(dirname "$0")/secrets
[ -d "$directory" ] && { echo "$directory exists already: nothing is changed" >&2; exit 1; }
umask 077
mkdir "$directory"
random() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
name() { head -c "$1" /dev/urandom | od -An -tx1 | tr -d ' \n'; }
random 32 > "$directory/master-key"
name 24 > "$directory/operator-key"
name 24 > "$directory/api-key"
password=$(name 24)
printf %s "$password" > "$directory/database-password"
printf 'postgres://switchboard:%s@postgres:5432/switchboard' "$password" > "$directory/database-url"
# Readable in the containers, whose user is another one. On this machine the directory keeps other users out.
chmod 644 "$directory"/*
echo "Created $directory. Keep a copy of master-key: without it the stored sessions cannot be read."
