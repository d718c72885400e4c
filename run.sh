#!/usr/bin/env bash
# run.sh --index-dir DIR --queries FILE.jsonl --output FILE.jsonl: answers questions (see docs/batch.md).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/find-recto.sh"
export RECTO_DEADLINE="${RECTO_DEADLINE:-10200}"
exec "$RECTO" batch run "$@"
