#!/bin/sh
# The five, one after the other, as a monitoring host asks for them: check-http-five.sh <check_http> <port> [option...]
# It reads no JSON: that config.json begins and ends like an object is all that it can be asked for.
check_http=$1 port=$2
shift 2
status=0

check() {
  file=$1
  shift
  "$check_http" -I 127.0.0.1 -H localhost -p "$port" -u "/$file" -e 'HTTP/1.1 200' "$@" || status=2
}
# Neither empty nor HTML: something, and it is not a tag, stands first.
text='^[[:space:]]*[^<[:space:]]'

check index.html "$@" -d 'Content-Type: text/html' -R '<!doctype html|<html'
check config.json "$@" -l -r '^[[:space:]]*\{.*\}[[:space:]]*$'
check navigation.md "$@" -s '](' -l -r "$text"
check index.md "$@" -l -r "$text"
check llms.txt "$@" -d 'Content-Type: text/plain' -l -r "$text"

exit $status
