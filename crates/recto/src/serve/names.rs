//! Names of documents that are uploaded: relative paths that stay where they belong, of files that recto reads.

use recto_agent::fence::clean;
use recto_ingest::discover::SUPPORTED;

use super::fault::Fault;

/// Bytes of a name, and of each of its parts.
const LONGEST: usize = 1024;
const LONGEST_PART: usize = 255;

/// The name that a file is to have which somebody sent under this one: parts by slashes, backslashes being slashes too.
///
/// # Errors
/// 422 for a name that leads elsewhere, hides characters or is too long; 415 for a file of a kind that is not read.
pub(crate) fn document(sent: &str) -> Result<String, Fault> {
    let wrong = |why: &str| Fault::invalid(format!("name {:?}: {why}", shortened(sent)));
    let slashed = sent.replace('\\', "/");
    let parts: Vec<&str> = slashed.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let name = parts.join("/");
    if name.is_empty() {
        return Err(wrong("a file needs a name"));
    }
    if parts.contains(&"..") {
        return Err(wrong("a name can't lead out of its folder"));
    }
    if clean(&name) != name || name.contains(['\n', '\t', '\u{fffd}']) {
        return Err(wrong("it holds characters that can't be seen"));
    }
    if name.len() > LONGEST || parts.iter().any(|part| part.len() > LONGEST_PART) {
        return Err(wrong(&format!("longer than {LONGEST_PART} bytes a part, or {LONGEST} together")));
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    if !SUPPORTED.contains(&ending.as_str()) {
        return Err(Fault::kind(
            format!("{}: files of this kind are not read", shortened(&name)),
            &SUPPORTED.join(", "),
        ));
    }
    Ok(name)
}

fn shortened(name: &str) -> String {
    clean(name).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_refused_and_odd_ones_are_mended() {
        let long = format!("{}.pdf", "a".repeat(300));
        let table = [
            ("a.pdf", Some("a.pdf")),
            ("C:\\scans\\a b.PDF", Some("C:/scans/a b.PDF")),
            ("/etc/./x.pdf", Some("etc/x.pdf")),
            ("水/é.pdf", Some("水/é.pdf")),
            ("<img src=x>.pdf", Some("<img src=x>.pdf")),
            ("../../a.pdf", None),
            ("a/..\\b.pdf", None),
            ("..", None),
            ("", None),
            ("/", None),
            ("a\0.pdf", None),
            ("a\r\nX: y.pdf", None),
            ("gnp.\u{202e}fdp.pdf", None),
            ("a.exe", None),
            (".pdf", Some(".pdf")),
            ("pdf", None),
            (&long, None),
        ];
        for (sent, want) in table {
            assert_eq!(document(sent).ok().as_deref(), want, "{sent:?}");
        }
    }
}
