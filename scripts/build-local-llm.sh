#!/usr/bin/env bash
# Builds recto with language models inside (feature local-llm): installs what llama.cpp is built with, and builds. About twelve
# minutes of processor time the first time. More arguments go to cargo.
# usage: scripts/build-local-llm.sh [CARGO ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v cmake >/dev/null || ! command -v clang >/dev/null || ! ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -qq
    $sudo apt-get install -y -qq cmake clang libclang-dev
fi
exec cargo build --release --locked -p recto --features local-llm "$@"
