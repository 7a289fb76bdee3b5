#!/bin/sh
# Makes the certificates that tests of outgoing TLS use. They are committed, so this runs again only to change them.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names='DNS:localhost,DNS:receiver.test,DNS:*.receivers.test,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1'
start=20200101000000Z
end=21200101000000Z

cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = tests
[tests]
database = $work/index
new_certs_dir = $work
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
[any]
commonName = supplied
CNF
: > "$work/index"

# certificate, key, common name, extensions, first day, last day, and how it is signed
make() {
  openssl ecparam -name prime256v1 -genkey -noout -out "$2"
  openssl req -new -key "$2" -subj "/CN=$3" -out "$work/request.csr"
  printf '%b\n' "$4" > "$work/extensions"
  out=$1 first=$5 last=$6
  shift 6
  openssl ca -batch -notext -config "$work/ca.cnf" -extfile "$work/extensions" \
    -startdate "$first" -enddate "$last" -in "$work/request.csr" -out "$out" "$@"
}
by_authority="-cert authority-cert.pem -keyfile $work/authority-key.pem"
server='basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName='

# The authority's key is thrown away: nothing new can be signed for those who trust it.
make authority-cert.pem "$work/authority-key.pem" 'Switchboard test authority' \
  'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign' $start $end \
  -selfsign -keyfile "$work/authority-key.pem"
# shellcheck disable=SC2086
make trusted-cert.pem trusted-key.pem trusted "$server$names" $start $end $by_authority
# shellcheck disable=SC2086
make expired-cert.pem expired-key.pem expired "$server$names" 20180101000000Z 20190101000000Z $by_authority
# shellcheck disable=SC2086
make wrong-name-cert.pem wrong-name-key.pem wrong-name "${server}DNS:somebody-else.test" $start $end $by_authority
# Nodes show their certificate as a server and as a client. Another authority, so that a certificate of this one is refused by them.
make node-authority-cert.pem "$work/node-authority-key.pem" 'Switchboard node authority' \
  'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign' $start $end \
  -selfsign -keyfile "$work/node-authority-key.pem"
both='basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName='
make node-cert.pem node-key.pem node "${both}DNS:switchboard-node,IP:127.0.0.1,IP:127.0.0.2" $start $end \
  -cert node-authority-cert.pem -keyfile "$work/node-authority-key.pem"
make self-signed-cert.pem self-signed-key.pem receiver.test "$server$names" $start $end \
  -selfsign -keyfile self-signed-key.pem
# The stub of the official page, for a browser that trusts this authority alone.
make official-authority-cert.pem "$work/official-authority-key.pem" 'Switchboard official page authority' \
  'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign' $start $end \
  -selfsign -keyfile "$work/official-authority-key.pem"
make official-cert.pem official-key.pem official "${server}DNS:web.whatsapp.com" $start $end \
  -cert official-authority-cert.pem -keyfile "$work/official-authority-key.pem"
