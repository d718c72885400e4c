//! A seeded order of pages, as benchmarks hide their names: Python's `random.Random`, which is MT19937 (Matsumoto and
//! Nishimura 1998) seeded by `init_by_array`, and its `shuffle`.

const N: usize = 624;
const M: usize = 397;

/// The generator.
#[derive(Clone, Debug)]
pub struct MersenneTwister {
    state: [u32; N],
    at: usize,
}

impl MersenneTwister {
    /// `random.Random(seed)`.
    pub fn new(seed: u64) -> Self {
        let words = [seed as u32, (seed >> 32) as u32];
        Self::from_words(if words[1] == 0 { &words[..1] } else { &words })
    }

    /// The published `init_by_array`.
    fn from_words(key: &[u32]) -> Self {
        let mut state = [0; N];
        state[0] = 19_650_218_u32;
        for i in 1..N {
            let before = state[i - 1];
            state[i] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(i as u32);
        }
        let mixed = |state: &[u32; N], i: usize, by: u32| {
            let before = state[i - 1];
            state[i] ^ (before ^ (before >> 30)).wrapping_mul(by)
        };
        let mut i = 1;
        let step = |state: &mut [u32; N], i: &mut usize| {
            *i += 1;
            if *i >= N {
                state[0] = state[N - 1];
                *i = 1;
            }
        };
        for k in 0..N.max(key.len()) {
            let j = k % key.len();
            state[i] = mixed(&state, i, 1_664_525).wrapping_add(key[j]).wrapping_add(j as u32);
            step(&mut state, &mut i);
        }
        for _ in 1..N {
            state[i] = mixed(&state, i, 1_566_083_941).wrapping_sub(i as u32);
            step(&mut state, &mut i);
        }
        state[0] = 0x8000_0000;
        Self { state, at: N }
    }

    /// The next 32 bits.
    fn next(&mut self) -> u32 {
        if self.at >= N {
            for i in 0..N {
                let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
                self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ if y & 1 == 1 { 0x9908_b0df } else { 0 };
            }
            self.at = 0;
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A number below `n` (above 0): bits are drawn until they are below.
    fn below(&mut self, n: u32) -> u32 {
        let bits = 32 - n.leading_zeros();
        loop {
            let drawn = self.next() >> (32 - bits);
            if drawn < n {
                return drawn;
            }
        }
    }

    /// `random.shuffle(list)`; for less than 2^32 entries.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            let j = self.below(u32::try_from(i + 1).unwrap_or(u32::MAX)) as usize;
            list.swap(i, j);
        }
    }
}
