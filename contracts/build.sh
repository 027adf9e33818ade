#!/usr/bin/env bash
# Compiles the Solidity sources and writes the Go bindings (*_gen.go). Only a change of a contract needs this: the
# bindings are committed, so programs, demo and tests run without Node.
#
#   build.sh           regenerate the committed bindings
#   build.sh --check   regenerate into a temporary folder and fail if a committed file differs by one byte
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"

mode=${1:-write}
case "$mode" in
  write | --check) ;;
  *) echo "usage: build.sh [--check]" >&2; exit 2 ;;
esac

# npm ci empties node_modules and needs the network or a warm cache: skip it while the lock file is the installed one.
if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
  npm ci --prefer-offline --ignore-scripts --no-audit --no-fund
  cp package-lock.json node_modules/.installed-lock.json
fi

if [ "$mode" = write ]; then
  node compile.mjs artifacts
  rm -f ./*_gen.go hostile/*_gen.go
  go run ./bindgen artifacts .
  # What the bindings were made of, and the bindings: a test without Node compares, see bindings_test.go.
  { find src -name '*.sol'; ls compile.mjs package-lock.json bindgen/main.go ./*_gen.go hostile/*_gen.go; } |
    sed 's#^\./##' | LC_ALL=C sort | xargs sha256sum >bindings.sha256
  echo "wrote $(ls ./*_gen.go hostile/*_gen.go 2>/dev/null | wc -l) bindings"
  exit 0
fi

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node compile.mjs "$fresh/artifacts"
go run ./bindgen "$fresh/artifacts" "$fresh/go"
stale=0
while IFS= read -r file; do
  cmp "$file" "$fresh/go/$file" || stale=1
done < <( { find . -maxdepth 1 -name '*_gen.go'; find hostile -name '*_gen.go' 2>/dev/null; (cd "$fresh/go" && find . -name '*_gen.go'); } | sed 's#^\./##' | sort -u)
if [ "$stale" -ne 0 ]; then
  echo "the committed bindings are not those of the sources: run build.sh and commit the result" >&2
  exit 1
fi
echo "the committed bindings are those of the sources"
