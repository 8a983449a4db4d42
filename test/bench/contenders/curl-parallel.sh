#!/bin/sh
# The five in one process of curl, which asks for all at once: curl-parallel.sh <base URL>
base=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
status=0

fail() {
  echo "FAIL $1"
  status=1
}
# It ends with another status than 0 where a file does not arrive, and has said so.
curl -SZ --no-progress-meter --max-time 10 -w '%{filename_effective} %{http_code} %{content_type}\n' \
  -o index.html "${base}index.html" \
  -o config.json "${base}config.json" \
  -o navigation.md "${base}navigation.md" \
  -o index.md "${base}index.md" \
  -o llms.txt "${base}llms.txt" >told || status=1

grep -q '^index.html 200 text/html' told || fail index.html
grep -q '^config.json 200 ' told || fail config.json
for page in navigation.md index.md; do
  grep "^$page 200 " told | grep -qv 'text/html' || fail $page
done
grep '^llms.txt 200 text/' told | grep -qv 'text/html' || fail llms.txt

grep -qi '<!doctype html\|<html' index.html || fail 'index.html has no markup'
jq -e 'type == "object"' config.json >/dev/null || fail 'config.json is no JSON object'
for file in navigation.md index.md llms.txt; do
  grep -qi '<!doctype html\|<html' $file && fail "$file is HTML"
  grep -q '[^[:space:]]' $file || fail "$file is empty"
done
grep -q '](' navigation.md || fail 'navigation.md has no links'

exit $status
