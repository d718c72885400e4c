//! Whether the content of a page arrived whole. The engine reads as far as it can and does not say where it had to stop.

use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::dict::keys::{CONTENTS, DECODE_PARMS};
use hayro::hayro_syntax::object::{Array, Stream};
use hayro::hayro_syntax::page::Page;

use super::tree::items;

/// The largest prime below 2^16, as RFC 1950 has it.
const MODULUS: u32 = 65_521;

/// False if the page's content is missing from the file, or does not unpack to what was packed.
pub(crate) fn is_whole(page: &Page<'_>) -> bool {
    let unpacked = page.page_stream();
    if let Some(one) = page.raw().get::<Stream<'_>>(CONTENTS) {
        return unpacked
            .is_some_and(|unpacked| add_up(std::slice::from_ref(&one), 0, unpacked) || agrees(&one, unpacked));
    }
    let Some(several) = page.raw().get::<Array<'_>>(CONTENTS) else { return !page.raw().contains_key(CONTENTS) };
    let streams: Vec<_> = items(&several, page.xref()).filter_map(|item| item?.into_stream()).collect();
    unpacked.is_some_and(|joined| add_up(&streams, b' ', joined))
        || streams.iter().all(|stream| stream.decoded_data().is_ok_and(|unpacked| agrees(stream, &unpacked)))
}

/// True if the streams, joined with that byte behind each, have the bytes that their checksums tell of. The lower half
/// of a checksum is 1 and the sum of the bytes, which is soon told, and takes no second unpacking. False says nothing.
fn add_up(streams: &[Stream<'_>], behind_each: u8, joined: &[u8]) -> bool {
    let sum_of = |stream: &Stream<'_>| match *stream.raw_data() {
        [.., a, b] if has_checksum(stream) => Some(u64::from(u16::from_be_bytes([a, b])) + u64::from(behind_each)),
        _ => None,
    };
    let stated: Option<u64> = streams.iter().map(sum_of).sum();
    let sum = sum(joined) + streams.len() as u64;
    stated.is_some_and(|stated| stated.abs_diff(sum).is_multiple_of(MODULUS.into()))
}

/// The sum of the bytes, by parts whose sums are so small that many can be added up side by side.
fn sum(data: &[u8]) -> u64 {
    data.chunks(1 << 16).map(|part| u64::from(part.iter().copied().map(u32::from).sum::<u32>())).sum()
}

fn has_checksum(stream: &Stream<'_>) -> bool {
    stream.filters().as_slice() == [Filter::FlateDecode] && !stream.dict().contains_key(DECODE_PARMS)
}

/// Compares the checksum behind packed data (RFC 1950) with that of the unpacked; other filters have none.
fn agrees(stream: &Stream<'_>, unpacked: &[u8]) -> bool {
    let raw = stream.raw_data();
    if raw.is_empty() || !has_checksum(stream) {
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
        // Sixteen columns are added up side by side: each byte goes into `b` once for itself and each byte behind it.
        let (rows, rest) = part.as_chunks::<16>();
        let (mut sums, mut sums_of_sums) = ([0_u32; 16], [0_u32; 16]);
        for row in rows {
            for ((sum, all), byte) in sums.iter_mut().zip(&mut sums_of_sums).zip(row) {
                *all += *sum;
                *sum += u32::from(*byte);
            }
        }
        b += a * 16 * rows.len() as u32;
        for ((sum, all), to_end) in sums.iter().zip(&sums_of_sums).zip((1..=16).rev()) {
            a += sum;
            b += 16 * all + to_end * sum;
        }
        for byte in rest {
            a += u32::from(*byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::adler32;

    #[test]
    fn checksums_are_those_of_the_standard() {
        let table: [(&[u8], u32); 4] = [
            (b"", 1),
            (b"Wikipedia", 0x11e6_0398),
            (b"twenty-five bytes of text", 0x7faa_09a4),
            (&[0xff; 100_000], 0x149a_302c),
        ];
        for (data, want) in table {
            assert_eq!(adler32(data), want);
        }
    }
}
