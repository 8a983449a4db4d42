#!/usr/bin/env bash
# Usage: notes.sh <version>
# Prints what CHANGELOG.md says of a version, without its heading.
set -euo pipefail
cd "$(dirname "$0")/../../.."

notes="$(awk -v heading="## $1" '$0 == heading { found = 1; next } /^## / { found = 0 } found' CHANGELOG.md)"
if [ -z "$notes" ]; then
  echo "CHANGELOG.md says nothing of $1" >&2
  exit 1
fi
printf '%s\n' "$notes"
