//! What `benches/peers/measures.py` compares: ANLS* of each line `{"gold": .., "said": ..}` of a file, one number a line.
//! Not a tool for users.

use std::error::Error;
use std::fmt::Write;

use recto_bench::measure::anls_star::anls_star;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: anls_star FILE")?;
    let mut out = String::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let row: Value = serde_json::from_str(line)?;
        writeln!(out, "{}", anls_star(&row["gold"], &row["said"])?.score)?;
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}
