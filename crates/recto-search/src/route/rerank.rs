//! The first pages of a ranking in the order of a model that has read them.

use recto_model::Reranker;

use super::hybrid::EXACT;
use crate::{Ranking, Result, Share};

/// Shares that a model can't judge: it does not know which page is the fifth, nor that hardly any page has the identifier.
const KEPT: [&str; 2] = [EXACT, "named"];

/// Puts the first pages of `ranking`, those that `passages` are of, in the order of the model's scores. They stay before the
/// others, which keep their order; and pages that the query names, or with an identifier that hardly any page has, stay before
/// those without. Of
/// what the ranking gave a page, the values stay beside the model's share, which is its score now.
///
/// # Errors
/// [`SearchError::Model`](crate::SearchError::Model) when the model gives no scores.
pub fn rerank(ranking: Ranking, query: &str, passages: &[String], model: &dyn Reranker) -> Result<Ranking> {
    let Ranking(mut hits) = ranking;
    let texts: Vec<&str> = passages.iter().map(String::as_str).take(hits.len()).collect();
    let values: Vec<f64> = model.rerank(query, &texts)?.into_iter().map(f64::from).collect();
    let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(*value), b.max(*value)));
    let best = hits.iter().map(|hit| hit.score).fold(f64::MIN_POSITIVE, f64::max);
    for (n, hit) in hits.iter_mut().enumerate() {
        let Some(value) = values.get(n) else {
            // Below 1, in their order.
            hit.shares.iter_mut().for_each(|share| share.score /= best);
            hit.score /= best;
            continue;
        };
        let place = if most > least { (value - least) / (most - least) } else { 0.0 };
        // From 1 to 2, and 2 more for each identifier and for being named.
        let is_kept = |share: &Share| KEPT.contains(&share.name);
        hit.shares.iter_mut().for_each(|share| share.score = if is_kept(share) { 2.0 * share.value } else { 0.0 });
        hit.shares.push(Share { name: "rerank", rank: 0, value: *value, score: 1.0 + place, window: None });
        hit.score = hit.shares.iter().map(|share| share.score).sum();
    }
    let mut ranking = Ranking(hits);
    ranking.sort();
    Ok(ranking)
}

#[cfg(test)]
mod tests {
    use recto_model::reranker::FakeReranker;
    use recto_page::{DocId, PageId, PageNumber};

    use super::*;
    use crate::Hit;

    fn hit(page: u32, score: f64, kept: Option<&'static str>) -> Hit {
        let share = |name, score| Share { name, rank: 0, value: 1.0, score, window: None };
        let mut shares = vec![share("bm25", score)];
        shares.extend(kept.map(|name| share(name, 0.0)));
        let page = PageId::new(DocId::new("d"), PageNumber::new(page).unwrap());
        Hit { page, score, parts: Vec::new(), shares }
    }

    #[test]
    fn the_first_pages_are_in_the_models_order_and_exact_ones_stay_before() {
        for name in KEPT {
            check(name);
        }
    }

    #[track_caller]
    fn check(kept: &'static str) {
        let ranking = Ranking(vec![hit(1, 9.0, None), hit(2, 8.0, Some(kept)), hit(3, 7.0, None), hit(4, 6.0, None)]);
        let passages = ["", "", "red fox"].map(str::to_owned);
        let Ranking(hits) = rerank(ranking, "red fox", &passages, &FakeReranker).unwrap();
        let got: Vec<u32> = hits.iter().map(|hit| hit.page.page.get()).collect();
        assert_eq!(got, [2, 3, 1, 4]);
        for hit in &hits {
            let sum: f64 = hit.shares.iter().map(|share| share.score).sum();
            assert!((sum - hit.score).abs() < 1e-12, "{hit:?}");
        }
    }
}
