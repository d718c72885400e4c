//! How this run reads documents, and whether reading an unchanged one again in this manner could give more than the index
//! holds. It stands at the end of a document's fingerprint.

use std::collections::BTreeSet;

use recto_ingest::Limits;
use recto_page::ProblemCode;
use recto_page::catalog::Known;

use super::recognizer;
use crate::config::{Config, Ocr};

/// How documents are read, beside which of their pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Manner {
    /// The mode of OCR and what reads.
    ocr: String,
    /// Each limit with the problem of pages that are beyond it.
    limits: Vec<u64>,
}

/// What a page lacks for want of models or of a server, which may be there now.
const LACKS_OCR: [ProblemCode; 3] = [ProblemCode::NoOcr, ProblemCode::OcrFailed, ProblemCode::OcrUnavailable];

impl Manner {
    pub(crate) fn of(config: &Config) -> Self {
        let Limits { page_time, pixels, memory, pages, .. } = config.limits;
        let limits = vec![page_time.as_secs(), pixels, memory, u64::from(pages)];
        Self { ocr: recognizer::fingerprint(config), limits }
    }

    /// The fingerprint of a document that is read in this manner.
    pub(crate) fn fingerprint(&self, base: &str) -> String {
        let limits: Vec<String> = self.limits.iter().map(u64::to_string).collect();
        format!("{base}|ocr={}|limits={}", self.ocr, limits.join(","))
    }

    fn parse(fingerprint: &str) -> Option<(&str, Self)> {
        let (rest, limits) = fingerprint.rsplit_once("|limits=")?;
        let (base, ocr) = rest.split_once("|ocr=")?;
        let limits = limits.split(',').map(|limit| limit.parse().ok()).collect::<Option<_>>()?;
        Some((base, Self { ocr: ocr.into(), limits }))
    }

    /// Where a document that was read otherwise has all that reading it again would give: the fingerprint that it would
    /// get. `needs_ocr` says whether any page of it has a picture to be read.
    ///
    /// # Errors
    /// Those of `needs_ocr`.
    pub(crate) fn served_by<E>(
        &self,
        known: &Known,
        needs_ocr: impl FnOnce() -> Result<bool, E>,
    ) -> Result<Option<String>, E> {
        let Some((base, was)) = Self::parse(&known.fingerprint) else { return Ok(None) };
        if known.failed || self.lifts_a_limit(&was, &known.problems) {
            return Ok(None);
        }
        let serves = if self.reads(Ocr::Never) {
            true
        } else if was.ocr == self.ocr {
            !LACKS_OCR.iter().any(|code| known.problems.contains(code))
        } else {
            !was.reads(Ocr::Always) && !self.reads(Ocr::Always) && !needs_ocr()?
        };
        Ok(serves.then(|| self.fingerprint(base)))
    }

    /// True if the index is to note that a document, which is served, has no picture to be read in this manner either: to
    /// find that out costs a look at all of its pages.
    pub(crate) fn is_news_of(&self, known: &Known) -> bool {
        !self.reads(Ocr::Never) && Self::parse(&known.fingerprint).is_some_and(|(_, was)| was.ocr != self.ocr)
    }

    fn reads(&self, mode: Ocr) -> bool {
        self.ocr.split(':').next() == Some(mode.as_str())
    }

    /// True if something was beyond a limit that is higher now.
    fn lifts_a_limit(&self, was: &Self, problems: &BTreeSet<ProblemCode>) -> bool {
        use ProblemCode::{OcrTimeout, PageCrashed, PageTimeout, PixelBudget, TooManyPages};
        let beyond: [&[ProblemCode]; 4] = [&[PageTimeout, OcrTimeout], &[PixelBudget], &[PageCrashed], &[TooManyPages]];
        let limits = self.limits.iter().zip(&was.limits).zip(beyond);
        limits.into_iter().any(|((is, was), codes)| is > was && codes.iter().any(|code| problems.contains(code)))
    }
}

#[cfg(test)]
mod tests {
    use recto_page::DocId;

    use super::*;

    fn manner(ocr: &str, seconds: u64) -> Manner {
        Manner { ocr: ocr.into(), limits: vec![seconds, 100, 100, 100] }
    }

    /// A document that was read in one manner, with a problem.
    fn known(read: &Manner, problem: Option<ProblemCode>) -> Known {
        Known {
            id: DocId::new("a.pdf"),
            path: None,
            stamp: None,
            hash: None,
            fingerprint: read.fingerprint("1|pages=all|given="),
            duplicate_of: None,
            failed: false,
            problems: problem.into_iter().collect(),
        }
    }

    #[test]
    fn a_document_is_read_again_if_that_may_give_more() {
        use ProblemCode::*;
        // How it was read, how it would be read, what went wrong, whether pages need OCR, whether it stays.
        let table = [
            ("auto:a", "auto:a", None, true, true),
            ("auto:a", "auto:b", None, true, false),
            ("auto:a", "auto:b", None, false, true),
            ("auto:a", "never:", None, true, true),
            ("always:a", "never:", None, true, true),
            ("never:", "never:", Some(NoText), true, true),
            ("never:", "auto:a", Some(NoText), true, false),
            ("never:", "auto:a", None, false, true),
            ("never:", "always:a", None, false, false),
            ("always:a", "auto:a", None, false, false),
            ("auto:a", "quality:b", None, true, false),
            ("auto:a", "auto:a", Some(NoOcr), true, false),
            ("auto:a", "auto:a", Some(OcrUnavailable), true, false),
            ("auto:a", "never:", Some(OcrUnavailable), true, true),
            ("auto:http://x/|ocr=:1", "auto:http://x/|ocr=:1", None, true, true),
        ];
        for (was, is, problem, needs_ocr, stays) in table {
            let known = known(&manner(was, 8), problem);
            let served = manner(is, 8).served_by(&known, || Ok::<_, ()>(needs_ocr));
            assert_eq!(served.map(|served| served.is_some()), Ok(stays), "{was} to {is}, {problem:?}");
        }
    }

    #[test]
    fn what_was_beyond_a_limit_is_read_again_once_that_is_higher() {
        let table = [
            (8, 9, Some(ProblemCode::PageTimeout), false),
            (8, 9, Some(ProblemCode::OcrTimeout), false),
            (8, 8, Some(ProblemCode::PageTimeout), true),
            (9, 8, Some(ProblemCode::PageTimeout), true),
            (8, 9, Some(ProblemCode::PageCrashed), true),
            (8, 9, None, true),
        ];
        for (was, is, problem, stays) in table {
            let known = known(&manner("auto:a", was), problem);
            let served = manner("auto:a", is).served_by(&known, || Ok::<_, ()>(true));
            assert_eq!(served.map(|served| served.is_some()), Ok(stays), "{was} to {is}, {problem:?}");
        }
        let older = Known { fingerprint: "2|pages=all|given=|ocr=auto:a".into(), ..known(&manner("auto:a", 8), None) };
        assert_eq!(manner("auto:a", 8).served_by(&older, || Ok::<_, ()>(false)), Ok(None));
    }
}
