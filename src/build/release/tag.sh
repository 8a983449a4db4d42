#!/usr/bin/env bash
# Usage: tag.sh <version>
#
# Commits the Action's bundle (dist/action, which .gitignore keeps out of main) on top of the commit that is checked
# out, on no branch; tags that commit v<version>; moves the major tag (v1, or v0) to it; pushes both tags.
# The workflows are not in that commit: GitHub lets no workflow push a tag whose workflows are those of no branch, which
# is so as soon as main goes on meanwhile.
# Can be run again: the commit takes its time from the one below, so the same files give the same commit.
# Needs every tag of the repository, and leave to push to `origin`.
set -euo pipefail
cd "$(dirname "$0")/../../.."

version="$1"
tag="v$version"
major="v${version%%.*}"
bundle=dist/action

if [ -z "$(ls -A "$bundle" 2>/dev/null)" ]; then
  echo "$bundle: nothing has been built" >&2
  exit 1
fi

parent="$(git rev-parse HEAD)"
time="$(git show --no-patch --format=%cI "$parent")"
# An index of its own, so that the one of the working copy stays as it is.
index="$(mktemp)"
trap 'rm -f "$index"' EXIT
export GIT_INDEX_FILE="$index"
git read-tree "$parent"
git rm --cached --quiet -r --ignore-unmatch -- .github/workflows
git add --force -- "$bundle"
tree="$(git write-tree)"
unset GIT_INDEX_FILE
export GIT_AUTHOR_NAME='github-actions[bot]'
export GIT_AUTHOR_EMAIL='41898282+github-actions[bot]@users.noreply.github.com'
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
export GIT_AUTHOR_DATE="$time" GIT_COMMITTER_DATE="$time"
commit="$(git commit-tree "$tree" -p "$parent" -m "Release $version")"

# What a tag of the remote points to; nothing if there is none.
remote_tag() {
  git ls-remote origin "refs/tags/$1" | cut -f 1
}

released="$(remote_tag "$tag")"
if [ -z "$released" ]; then
  git push origin "$commit:refs/tags/$tag"
elif [ "$released" != "$commit" ]; then
  echo "$tag has been released with other contents: $released, not $commit" >&2
  exit 1
fi

# A release that is run again late must not take users back from a newer one.
newest="$( (git tag --list "$major.*"; echo "$tag") | sort --version-sort | tail -n 1)"
if [ "$newest" = "$tag" ]; then
  git push --force-with-lease="refs/tags/$major:$(remote_tag "$major")" origin "$commit:refs/tags/$major"
else
  echo "$major stays where it is: $newest is newer"
fi
