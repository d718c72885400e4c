//! The standard security handler (ISO 32000-2, 7.6.4): keys from passwords, and objects encrypted with them.
//!
//! For tests only: salts and initialisation vectors are fixed, so that equal documents are equal bytes.

use crate::file::FILE_ID;
use crate::object::{Object, hex};
use aes::{Aes128, Aes256};
use cbc::cipher::block_padding::{NoPadding, Pkcs7};
use cbc::cipher::{BlockModeEncrypt, KeyIvInit};
use md5::{Digest, Md5};
use sha2::{Sha256, Sha384, Sha512};

/// A cipher of the standard security handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cipher {
    /// RC4 with a key of 40 bits (revision 2).
    Rc4Key40,
    /// RC4 with a key of 128 bits (revision 3).
    Rc4Key128,
    /// AES with a key of 128 bits (revision 4).
    Aes128,
    /// AES with a key of 256 bits (revision 6).
    Aes256,
}

/// How a file is encrypted.
#[derive(Debug, Clone)]
pub struct Encryption {
    cipher: Cipher,
    user: String,
    owner: String,
}

impl Encryption {
    /// Opens with `user`, which may be empty: then readers must not ask. The owner's password is `owner`.
    pub fn new(cipher: Cipher, user: &str) -> Self {
        Self { cipher, user: user.to_owned(), owner: "owner".to_owned() }
    }

    pub(crate) fn lock(&self) -> Lock {
        match self.cipher {
            Cipher::Aes256 => lock_r6(self.user.as_bytes(), self.owner.as_bytes()),
            cipher => lock_r4(cipher, self.user.as_bytes(), self.owner.as_bytes()),
        }
    }
}

/// An encryption dictionary and the key of the file.
pub(crate) struct Lock {
    cipher: Cipher,
    key: Vec<u8>,
    dictionary: String,
}

/// Printing and copying allowed, the reserved bits as the standard wants them.
const PERMISSIONS: i32 = -44;

const PAD: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08, 0x2E, 0x2E, 0x00,
    0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

impl Lock {
    pub(crate) fn dictionary(&self) -> &str {
        &self.dictionary
    }

    /// The object with its strings and stream encrypted.
    pub(crate) fn object(&self, number: u32, object: &Object) -> Object {
        Object {
            body: self.strings(number, &object.body),
            stream: object.stream.as_ref().map(|data| self.encrypt(number, data)),
        }
    }

    fn strings(&self, number: u32, body: &str) -> String {
        let mut out = String::new();
        let mut rest = body;
        while let Some(at) = rest.find(['(', '<']) {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let (bytes, length) = if from.starts_with("<<") { (None, 2) } else { read_string(from) };
            match bytes {
                Some(bytes) => out.push_str(&hex(&self.encrypt(number, &bytes))),
                None => out.push_str(from.get(..length).unwrap_or(from)),
            }
            rest = from.get(length..).unwrap_or("");
        }
        out + rest
    }

    fn encrypt(&self, number: u32, data: &[u8]) -> Vec<u8> {
        let iv: [u8; 16] = Md5::digest(number.to_le_bytes()).into();
        match self.cipher {
            Cipher::Aes128 => {
                let key = self.object_key(number, b"sAlT");
                [&iv[..], &aes128_padded(&array(&key), &iv, data)].concat()
            }
            Cipher::Aes256 => {
                let cipher = cbc::Encryptor::<Aes256>::new(&array::<32>(&self.key).into(), &iv.into());
                [&iv[..], &cipher.encrypt_padded_vec::<Pkcs7>(data)].concat()
            }
            _ => rc4(&self.object_key(number, b""), data),
        }
    }

    /// Algorithm 1: the key of one object; generation numbers are always 0 here.
    fn object_key(&self, number: u32, salt: &[u8]) -> Vec<u8> {
        let number = number.to_le_bytes();
        let mut key = md5(&[&self.key, &number[..3], &[0, 0], salt]);
        key.truncate((self.key.len() + 5).min(16));
        key
    }
}

/// The bytes of the string that `text` begins with, and how many bytes of `text` it takes.
fn read_string(text: &str) -> (Option<Vec<u8>>, usize) {
    if let Some(inner) = text.strip_prefix('<') {
        let Some(end) = inner.find('>') else { return (None, text.len()) };
        let digits: Vec<u32> = inner.chars().take(end).filter_map(|c| c.to_digit(16)).collect();
        let bytes = digits.chunks(2).map(|pair| pair.iter().fold(0, |n, d| n << 4 | *d as u8)).collect();
        return (Some(bytes), end + 2);
    }
    let mut bytes = Vec::new();
    let mut chars = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = chars.next() {
        match byte {
            b')' => return (Some(bytes), at + 1),
            b'\\' => match chars.next() {
                Some((_, d @ b'0'..=b'7')) => {
                    bytes
                        .push(chars.by_ref().take(2).fold(d - b'0', |n, (_, d)| (n << 3) | (d.wrapping_sub(b'0') & 7)));
                }
                Some((_, escaped)) => bytes.push(escaped),
                None => break,
            },
            _ => bytes.push(byte),
        }
    }
    (None, text.len())
}

/// Algorithms 2 to 5: revisions 2, 3 and 4.
fn lock_r4(cipher: Cipher, user: &[u8], owner: &[u8]) -> Lock {
    let (revision, version, length, filters) = match cipher {
        Cipher::Rc4Key40 => (2, 1, 5, ""),
        Cipher::Aes128 => {
            (4, 4, 16, " /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF")
        }
        _ => (3, 2, 16, ""),
    };
    let rounds = if revision == 2 { 0 } else { 50 };
    let passes = if revision == 2 { 1 } else { 20 };

    let owner_key = stretch(md5(&[&padded(owner)]), length, rounds);
    let o = rc4_passes(&owner_key, padded(user).to_vec(), passes);
    let key = stretch(md5(&[&padded(user), &o, &PERMISSIONS.to_le_bytes(), FILE_ID]), length, rounds);
    let mut u = if revision == 2 { rc4(&key, &PAD) } else { rc4_passes(&key, md5(&[&PAD, FILE_ID]), passes) };
    u.resize(32, 0);

    let bits = length * 8;
    let dictionary = format!(
        "<< /Filter /Standard /V {version} /R {revision} /Length {bits} /P {PERMISSIONS} /O {} /U {}{filters} >>",
        hex(&o),
        hex(&u)
    );
    Lock { cipher, key, dictionary }
}

/// Algorithms 8 to 10: revision 6.
fn lock_r6(user: &[u8], owner: &[u8]) -> Lock {
    let key: [u8; 32] = Sha256::digest(FILE_ID).into();
    let (u_check, u_salt, o_check, o_salt) = (b"usercheq", b"userkeys", b"ownerchk", b"ownerkey");
    let u = [&hash_r6(user, u_check, &[])[..], u_check, u_salt].concat();
    let ue = aes256(&hash_r6(user, u_salt, &[]), &key);
    let o = [&hash_r6(owner, o_check, &u)[..], o_check, o_salt].concat();
    let oe = aes256(&hash_r6(owner, o_salt, &u), &key);
    // One block in CBC mode with a zero vector is the same as ECB, which the standard asks for.
    let perms = aes256(&key, &[&PERMISSIONS.to_le_bytes()[..], &[0xff; 4], b"Tadbfixd"].concat());
    let dictionary = format!(
        "<< /Filter /Standard /V 5 /R 6 /Length 256 /P {PERMISSIONS} /EncryptMetadata true /O {} /U {} /OE {} /UE {} /Perms {} \
         /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF >>",
        hex(&o),
        hex(&u),
        hex(&oe),
        hex(&ue),
        hex(&perms)
    );
    Lock { cipher: Cipher::Aes256, key: key.to_vec(), dictionary }
}

/// Algorithm 2.B: the hash of revision 6.
fn hash_r6(password: &[u8], salt: &[u8], user_entry: &[u8]) -> [u8; 32] {
    let mut k = Sha256::digest([password, salt, user_entry].concat()).to_vec();
    for round in 0_u32.. {
        let block = [password, &k, user_entry].concat().repeat(64);
        let cipher = cbc::Encryptor::<Aes128>::new(&head(&k, 0).into(), &head(&k, 16).into());
        let e = cipher.encrypt_padded_vec::<NoPadding>(&block);
        k = match e.iter().take(16).map(|&b| u32::from(b)).sum::<u32>() % 3 {
            0 => Sha256::digest(&e).to_vec(),
            1 => Sha384::digest(&e).to_vec(),
            _ => Sha512::digest(&e).to_vec(),
        };
        if round >= 63 && e.last().is_some_and(|&last| u32::from(last) <= round - 31) {
            break;
        }
    }
    array(&k)
}

fn aes128_padded(key: &[u8; 16], iv: &[u8; 16], data: &[u8]) -> Vec<u8> {
    cbc::Encryptor::<Aes128>::new(&(*key).into(), &(*iv).into()).encrypt_padded_vec::<Pkcs7>(data)
}

fn aes256(key: &[u8; 32], data: &[u8]) -> Vec<u8> {
    cbc::Encryptor::<Aes256>::new(&(*key).into(), &[0; 16].into()).encrypt_padded_vec::<NoPadding>(data)
}

fn padded(password: &[u8]) -> [u8; 32] {
    array(&[password, &PAD].concat())
}

fn stretch(mut key: Vec<u8>, length: usize, rounds: usize) -> Vec<u8> {
    key.truncate(length);
    for _ in 0..rounds {
        key = md5(&[&key]);
        key.truncate(length);
    }
    key
}

fn rc4_passes(key: &[u8], data: Vec<u8>, passes: u8) -> Vec<u8> {
    (0..passes).fold(data, |data, i| rc4(&key.iter().map(|b| b ^ i).collect::<Vec<_>>(), &data))
}

fn rc4(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
    let mut j = 0_u8;
    for (i, k) in (0..256).zip(key.iter().cycle()) {
        j = j.wrapping_add(state[i]).wrapping_add(*k);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    let next = |byte: &u8| {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        byte ^ state[usize::from(state[usize::from(i)].wrapping_add(state[usize::from(j)]))]
    };
    data.iter().map(next).collect()
}

fn md5(parts: &[&[u8]]) -> Vec<u8> {
    Md5::digest(parts.concat()).to_vec()
}

fn head(bytes: &[u8], from: usize) -> [u8; 16] {
    array(bytes.get(from..).unwrap_or_default())
}

/// The first `N` bytes, zeros where there are fewer.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rc4_matches_a_published_vector() {
        assert_eq!(hex(&rc4(b"Key", b"Plaintext")), "<BBF316E8D940AF0AD3>");
    }

    #[test]
    fn strings_are_found_in_bodies() {
        for (text, right, length) in
            [("(a\\)b) x", &b"a)b"[..], 6), ("<4142>", b"AB", 6), ("(\\351)", b"\xe9", 6), ("<>", b"", 2)]
        {
            assert_eq!(read_string(text), (Some(right.to_vec()), length));
        }
    }
}
