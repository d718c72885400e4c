//! Whether the content of a page arrived whole. The engine reads as far as it can and does not say where it had to stop.

use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::dict::keys::{CONTENTS, DECODE_PARMS};
use hayro::hayro_syntax::object::{Array, Object, Stream};
use hayro::hayro_syntax::page::Page;

use super::tree::items;

/// False if the page's content is missing from the file, or does not unpack to what was packed.
pub(crate) fn is_whole(page: &Page<'_>) -> bool {
    let named = page.raw().contains_key(CONTENTS);
    if named && page.raw().get::<Stream<'_>>(CONTENTS).is_none() && page.raw().get::<Array<'_>>(CONTENTS).is_none() {
        return false;
    }
    match streams(page).as_slice() {
        // The engine keeps the data of a single stream, with a space behind it if it stands in an array.
        [one] => page.page_stream().is_some_and(|unpacked| {
            agrees(one, unpacked) || unpacked.strip_suffix(b" ").is_some_and(|unpacked| agrees(one, unpacked))
        }),
        several => several.iter().all(|s| s.decoded_data().is_ok_and(|unpacked| agrees(s, &unpacked))),
    }
}

fn streams<'a>(page: &Page<'a>) -> Vec<Stream<'a>> {
    if let Some(one) = page.raw().get::<Stream<'_>>(CONTENTS) {
        return vec![one];
    }
    let several = page.raw().get::<Array<'_>>(CONTENTS);
    several.iter().flat_map(|array| items(array, page.xref())).flatten().filter_map(Object::into_stream).collect()
}

/// Compares the checksum behind packed data (RFC 1950) with that of the unpacked; other filters have none.
fn agrees(stream: &Stream<'_>, unpacked: &[u8]) -> bool {
    let raw = stream.raw_data();
    if stream.filters().as_slice() != [Filter::FlateDecode]
        || stream.dict().contains_key(DECODE_PARMS)
        || raw.is_empty()
    {
        return true;
    }
    let sum = adler32(unpacked).to_be_bytes();
    // Some writers count line ends and padding before `endstream` as data.
    raw.windows(4).rev().take(64).any(|end| end == sum)
}

/// The Adler-32 checksum of RFC 1950.
fn adler32(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    // So many bytes can be added before `b` must be reduced.
    for part in data.chunks(5552) {
        for byte in part {
            a += u32::from(*byte);
            b += a;
        }
        a %= 65_521;
        b %= 65_521;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::adler32;

    #[test]
    fn checksums_are_those_of_the_standard() {
        let table: [(&[u8], u32); 3] = [(b"", 1), (b"Wikipedia", 0x11e6_0398), (&[0xff; 100_000], 0x149a_302c)];
        for (data, want) in table {
            assert_eq!(adler32(data), want);
        }
    }
}
