//! Which instructions the kernels use: chosen at run time, or forced.

use std::fmt;
use std::str::FromStr;

/// A way to compute. All give the same integers; floats differ in the last digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Path {
    /// x86-64 with AVX-512 F, BW, VL, VNNI and VPOPCNTDQ (Ice Lake, Zen 4 and later).
    Avx512,
    /// x86-64 with AVX2, FMA, F16C and POPCNT (Haswell, Zen and later).
    Avx2,
    /// Plain Rust, written so that the compiler can use what the target has (NEON on AArch64).
    Scalar,
}

impl Path {
    /// All of them, best first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Scalar];

    /// The best that this processor has.
    pub fn best() -> Self {
        Self::ALL.into_iter().find(|path| path.available()).unwrap_or(Self::Scalar)
    }

    /// Whether this processor has it.
    pub fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => has_avx512(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => has_avx2(),
            Self::Scalar => true,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// This path, or [`Path::Scalar`] if the processor lacks it: what every kernel asks before it jumps.
    pub(super) fn usable(self) -> Self {
        if self.available() { self } else { Self::Scalar }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("popcnt")
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Scalar => "scalar",
        })
    }
}

/// A name that is none of `avx512`, `avx2`, `scalar`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no way to compute; there are avx512, avx2 and scalar")]
pub struct UnknownPath(pub String);

impl FromStr for Path {
    type Err = UnknownPath;

    fn from_str(name: &str) -> Result<Self, UnknownPath> {
        Self::ALL.into_iter().find(|path| path.to_string() == name).ok_or_else(|| UnknownPath(name.to_owned()))
    }
}
