#!/bin/sh
# The five after a deploy, as people write them: curl-five.sh <base URL>
base=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

fail() {
  echo "FAIL $1"
  status=1
}
# Prints the status and the media type.
get() {
  curl -sS --max-time 10 -o "$dir/$1" -w '%{http_code} %{content_type}' "$base$1"
}
is_html() {
  grep -qi '<!doctype html\|<html' "$dir/$1"
}
is_empty() {
  ! grep -q '[^[:space:]]' "$dir/$1"
}

case $(get index.html) in
  '200 text/html'*) is_html index.html || fail 'index.html has no markup' ;;
  *) fail index.html ;;
esac

case $(get config.json) in
  '200 '*) jq -e 'type == "object"' "$dir/config.json" >/dev/null || fail 'config.json is no JSON object' ;;
  *) fail config.json ;;
esac

for page in navigation.md index.md; do
  case $(get $page) in
    '200 text/html'*) fail "$page is HTML" ;;
    '200 '*) if is_html $page || is_empty $page; then fail "$page is HTML or empty"; fi ;;
    *) fail $page ;;
  esac
done
grep -q '](' "$dir/navigation.md" || fail 'navigation.md has no links'

case $(get llms.txt) in
  '200 text/html'*) fail 'llms.txt is HTML' ;;
  '200 text/'*) if is_html llms.txt || is_empty llms.txt; then fail 'llms.txt is HTML or empty'; fi ;;
  *) fail llms.txt ;;
esac

exit $status
