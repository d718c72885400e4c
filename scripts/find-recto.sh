# Sets RECTO to the program: the one of a package, else the one built here, else one that is built now.
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
if [ -x "$here/bin/recto" ]; then
    RECTO="$here/bin/recto"
else
    RECTO="$here/target/release/recto"
    if [ ! -x "$RECTO" ]; then
        command -v cargo >/dev/null || {
            echo "recto is not built and cargo is not at hand: run 'cargo build --release -p recto' where it is" >&2
            exit 1
        }
        cargo build --release --locked --manifest-path "$here/Cargo.toml" -p recto >&2
    fi
fi
