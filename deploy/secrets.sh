#!/bin/sh
# Makes the secrets of compose.yaml in the folder secrets beside it. Those that are there stay as they are.
set -eu
cd "$(dirname "$0")/.."
# Each container reads them as a user of its own. So the files are open, and the folder is closed.
umask 022
mkdir -p secrets
chmod 700 secrets
cd secrets

random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

for name in database_password superuser_password metrics_token redis_token; do
  [ -s "$name" ] || random >"$name"
done
[ -s database_url ] ||
  printf 'postgresql://gateway:%s@database/gateway' "$(cat database_password)" >database_url
[ -s redis_tokens.json ] ||
  printf '{"%s": {"srh_id": "redis", "connection_string": "redis://redis:6379", "max_connections": 8}}' \
    "$(cat redis_token)" >redis_tokens.json
