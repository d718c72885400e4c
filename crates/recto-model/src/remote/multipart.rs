//! A form with a file, as browsers send it (RFC 7578).

/// What separates the parts: never inside a PNG or a name of a language.
const BOUNDARY: &str = "recto-5b1f0c7e9a3d4826";

/// The value of the header `Content-Type`.
pub(super) fn content_type() -> String {
    format!("multipart/form-data; boundary={BOUNDARY}")
}

/// A form with the field `language` and a picture as the field `file`.
pub(super) fn form(language: &str, png: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\n{language}\r\n\
         --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"page.png\"\r\n\
         Content-Type: image/png\r\n\r\n"
    );
    [head.as_bytes(), png, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}
