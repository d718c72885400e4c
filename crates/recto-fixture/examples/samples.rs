//! Makes the documents of `samples/`: `cargo run -p recto-fixture --example samples -- samples/`.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).unwrap_or_else(|| "samples".to_owned());
    fs::create_dir_all(&folder)?;
    for (name, bytes) in recto_fixture::samples::all() {
        fs::write(Path::new(&folder).join(name), bytes)?;
    }
    Ok(())
}
