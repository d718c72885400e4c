#!/usr/bin/env bash
# build.sh --corpus DIR --index-dir DIR: makes an index from a corpus (see docs/batch.md).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/find-recto.sh"
exec "$RECTO" batch build "$@"
