#!/usr/bin/env bash
# What a push to main asks for. Prints `mode` and `version` as GITHUB_OUTPUT takes them:
#   version  there are changesets: the pull request with the next version is to be made or brought up to date
#   release  there are none, and the version of package.json has no tag: it is to be released
#   none     there is nothing to do, also while CHANGELOG.md calls the version unreleased
# Needs the repository with its tags. A release ends with its tag, so one that broke off is found again.
set -euo pipefail
cd "$(dirname "$0")/../../.."

version="$(node -p 'require("./package.json").version')"
if ! [[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "package.json: \"$version\" is no version that can be released" >&2
  exit 1
fi
changesets="$(find .changeset -maxdepth 1 -name '*.md' ! -name 'README.md')"

if [ -n "$changesets" ]; then
  mode=version
elif grep --quiet --fixed-strings --line-regexp "## $version (Unreleased)" CHANGELOG.md || git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null; then
  mode=none
else
  mode=release
fi
printf 'mode=%s\nversion=%s\n' "$mode" "$version"
