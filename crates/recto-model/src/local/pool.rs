//! From the vectors of tokens to one.

use crate::{MultiVector, Pooling, Vector};

/// One vector of several, which are all of `dim` dimensions; zeros without any.
pub(crate) fn pooled(tokens: &MultiVector, pooling: Pooling, dim: usize) -> Vector {
    match pooling {
        Pooling::Mean | Pooling::Tokens => mean(tokens, dim),
        Pooling::First | Pooling::Given => tokens.first().cloned().unwrap_or_else(|| vec![0.0; dim]),
        Pooling::Last => tokens.last().cloned().unwrap_or_else(|| vec![0.0; dim]),
    }
}

fn mean(tokens: &MultiVector, dim: usize) -> Vector {
    let mut sum = vec![0.0; dim];
    for token in tokens {
        sum.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
    }
    let count = tokens.len().max(1) as f32;
    sum.iter_mut().for_each(|sum| *sum /= count);
    sum
}

/// Makes a vector one of length 1; one without a length becomes zeros.
pub(crate) fn normalise(vector: &mut Vector) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let scale = if length.is_finite() && length > 0.0 { length.recip() } else { 0.0 };
    vector.iter_mut().for_each(|value| *value = if scale > 0.0 { *value * scale } else { 0.0 });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_pooled_and_vectors_get_the_length_one() {
        let tokens = vec![vec![3.0, 0.0], vec![3.0, 8.0]];
        let table = [
            (Pooling::Mean, [3.0, 4.0], [0.6, 0.8]),
            (Pooling::First, [3.0, 0.0], [1.0, 0.0]),
            (Pooling::Given, [3.0, 0.0], [1.0, 0.0]),
        ];
        for (pooling, want, unit) in table {
            let mut vector = pooled(&tokens, pooling, 2);
            assert_eq!(vector, want);
            normalise(&mut vector);
            assert!(vector.iter().zip(unit).all(|(a, b)| (a - b).abs() < 1e-6), "{vector:?}");
        }
        assert_eq!(pooled(&tokens, Pooling::Last, 2), [3.0, 8.0]);
        assert_eq!(pooled(&vec![], Pooling::Mean, 2), [0.0, 0.0]);
        for odd in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            let mut vector = odd.to_vec();
            normalise(&mut vector);
            assert_eq!(vector, [0.0, 0.0]);
        }
    }
}
