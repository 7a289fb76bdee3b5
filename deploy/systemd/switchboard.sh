#!/bin/sh
# The command line of the gateway under systemd, installed as /usr/local/sbin/switchboard: runs a command with the settings of the service,
# as the user who owns its data. deploy/install.sh installs it. DESTDIR is the folder that it was installed below.
set -eu
umask 077

# Nothing of the caller's environment is a setting: `NETWORK` or a proxy of this shell is not the one of the service.
if [ "${SWITCHBOARD_CLEAN:-}" != yes ]; then
  exec env -i SWITCHBOARD_CLEAN=yes PATH="$PATH" HOME=/ TERM="${TERM:-dumb}" LANG="${LANG:-C.UTF-8}" DESTDIR="${DESTDIR:-}" "$0" "$@"
fi
unset SWITCHBOARD_CLEAN
SETTINGS=$DESTDIR/etc/switchboard
PROGRAM=$DESTDIR/opt/switchboard/bin/switchboard

fail() {
  echo "switchboard: $1" >&2
  exit 78
}

[ "${1:-}" != serve ] || fail 'the service runs the server: systemctl start switchboard'
# Only root can read the keys.
[ -x "$SETTINGS" ] && [ -r "$SETTINGS" ] || fail "$SETTINGS cannot be read: run this command as root, for example with sudo"

# As in switchboard.service, but with the files that its credentials are copies of.
export NODE_ENV=production
export DATA_DIR="$DESTDIR/var/lib/switchboard"
for name in master-key operator-key api-key database-url files-access-key files-secret-key otel-exporter-otlp-headers; do
  if [ -e "$SETTINGS/$name" ]; then
    variable=$(echo "$name" | tr 'a-z-' 'A-Z_')_FILE
    export "$variable=$SETTINGS/$name"
  fi
done

SOURCE=$SETTINGS/switchboard.env
[ -e "$SOURCE" ] || SOURCE=/dev/null
# A line is NAME=value, with or without quotes, as systemd reads it. A shell would take `&`, `$` and blanks for something else.
number=0
while IFS= read -r line || [ -n "$line" ]; do
  number=$((number + 1))
  line=$(printf '%s' "$line" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//')
  case $line in
    '' | '#'* | ';'*) continue ;;
    *\\*) fail "$SETTINGS/switchboard.env, line $number: this command cannot read a backslash" ;;
    [A-Za-z_]*=*) ;;
    *) fail "$SETTINGS/switchboard.env, line $number: expected NAME=value" ;;
  esac
  name=${line%%=*}
  value=${line#*=}
  case $name in *[!A-Za-z0-9_]*) fail "$SETTINGS/switchboard.env, line $number: expected NAME=value" ;; esac
  case $value in
    \"*\") value=${value#\"} value=${value%\"} ;;
    \'*\') value=${value#\'} value=${value%\'} ;;
  esac
  export "$name=$value"
done < "$SOURCE"

# Files that a command makes in DATA_DIR must be files of the service, whose user systemd chooses. That user may neither read the keys nor
# write a backup into a folder of root; one capability lets it. Before the first start there is no data, and systemd takes over what root made.
[ -d "$DATA_DIR" ] || exec "$PROGRAM" "$@"
owner=$(stat -L -c %u "$DATA_DIR")
[ "$owner" != "$(id -u)" ] || exec "$PROGRAM" "$@"
[ "$(id -u)" -eq 0 ] || fail 'run this command as root, for example with sudo'
exec setpriv --reuid "$owner" --regid "$(stat -L -c %g "$DATA_DIR")" --clear-groups \
  --inh-caps=-all,+dac_override --ambient-caps=-all,+dac_override --bounding-set=-all,+dac_override --no-new-privs "$PROGRAM" "$@"
