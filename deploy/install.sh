#!/bin/sh
# Installs the gateway on Debian or a system made from it, as a service of systemd: deploy/install.sh TARBALL. It can be run again to
# update: keys and settings that exist are kept. With DESTDIR it installs below that folder and starts nothing.
set -eu
umask 077

DESTDIR=${DESTDIR:-}
PREFIX=$DESTDIR/opt/switchboard
SETTINGS=$DESTDIR/etc/switchboard
UNIT=$DESTDIR/etc/systemd/system/switchboard.service
COMMAND=$DESTDIR/usr/local/sbin/switchboard
HERE=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

[ $# -eq 1 ] || fail 'usage: deploy/install.sh switchboard-gateway-VERSION.tgz'
[ -f "$1" ] || fail "$1 is not a file; npm run pack makes it in dist/"
# With an absolute path npm cannot take it for the name of a repository or for an option.
TARBALL=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -n "$DESTDIR" ] || [ "$(id -u)" -eq 0 ] || fail 'run it as root'
for tool in node npm openssl systemctl; do
  command -v "$tool" > /dev/null || fail "$tool is not installed; on Debian: apt install nodejs npm openssl systemd"
done
MAJOR=$(node -p 'process.versions.node.split(".")[0]')
[ "$MAJOR" -ge 20 ] || fail "Node 20 or later is needed, this is $(node --version). Debian 13 has it; for Debian 12 take it from nodejs.org"
# The service has no other PATH, and sees no home directories.
[ -n "$DESTDIR" ] || env -i PATH=/usr/local/bin:/usr/bin:/bin sh -c 'command -v node' > /dev/null ||
  fail "the service does not find $(command -v node): Node has to be in /usr/bin or /usr/local/bin"
# The Node of the package, which is newer than Debian's, is linked with it.
[ -n "$DESTDIR" ] || PATH=$PATH:/sbin ldconfig -p | grep -q 'libatomic\.so\.1' || fail 'libatomic.so.1 is not installed: apt install libatomic1'
VERSION=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
[ "${VERSION:-0}" -ge 250 ] || fail "systemd 250 or later is needed, this is ${VERSION:-unknown}"

new_secret() {
  [ -s "$SETTINGS/$1" ] && return
  openssl rand "$2" "$3" > "$SETTINGS/$1.new"
  mv "$SETTINGS/$1.new" "$SETTINGS/$1"
}

echo "install.sh: installing $TARBALL in $PREFIX, which takes about a minute"
# The service runs as another user, who must be able to read the program. No package needs an install script, which root would run.
(umask 022 && npm install --global --ignore-scripts --no-audit --no-fund --loglevel error --prefix "$PREFIX" "$TARBALL")

mkdir -p "$SETTINGS" "$(dirname "$UNIT")"
chmod 700 "$SETTINGS"
new_secret master-key -base64 32
new_secret operator-key -hex 24
new_secret api-key -hex 24
[ -e "$SETTINGS/switchboard.env" ] || cp "$HERE/systemd/switchboard.env" "$SETTINGS/switchboard.env"
cp "$HERE/systemd/switchboard.service" "$UNIT"
chmod 644 "$UNIT"
# The command line with the settings of the service. Without them a backup names another master key, and the doctor checks another network.
(umask 022 && mkdir -p "$(dirname "$COMMAND")")
cp "$HERE/systemd/switchboard.sh" "$COMMAND"
chmod 755 "$COMMAND"

if [ -z "$DESTDIR" ]; then
  systemctl daemon-reload
  systemctl enable switchboard
  systemctl restart switchboard
  # Long enough for a server that refuses its settings to end.
  sleep 5
  systemctl is-active --quiet switchboard || fail 'it is installed, but does not run: journalctl -u switchboard says why'
fi
echo "install.sh: done. Settings: $SETTINGS/switchboard.env. Log: journalctl -u switchboard"
echo "install.sh: commands run with these settings as root: switchboard doctor, switchboard backup FILE"
echo "install.sh: keep a copy of $SETTINGS/master-key. The API key is in $SETTINGS/api-key"
echo "install.sh: open http://127.0.0.1:8080, or where HOST and PORT of the settings put it"
