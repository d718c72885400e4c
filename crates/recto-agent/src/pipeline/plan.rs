//! How much is spent on a question.

/// How much is spent on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Pages that are shown, at most.
    pub pages: usize,
    /// How often the model is asked; a third time where two answers differ. With 0 the offline answerer answers.
    pub samples: u32,
    /// Pages that are shown as pictures too: the first ones.
    pub pictures: usize,
    /// Tables and figures on them that are shown closer, beside their page.
    pub zooms: usize,
    /// Resolution of the pictures of pages, in dots per inch; parts are drawn at 200 at least.
    pub dpi: u32,
    /// Pixels of the longer side of a picture, at most.
    pub side: u32,
    /// Bytes of text of all pages together, at most.
    pub text: usize,
    /// Bytes of one request, at most: pages that are gone through are shared out over as many as it takes.
    pub request: usize,
    /// The model looks through documents of at most so many pages to choose some; 0 for the search alone.
    pub look_through: u32,
    /// Questions that count or list go through so many pages, at most; 0 to answer them as others.
    pub survey: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            pages: 10,
            samples: 2,
            pictures: 6,
            zooms: 2,
            dpi: 144,
            side: 1568,
            text: 120_000,
            request: 400_000,
            look_through: 0,
            survey: 150,
        }
    }
}

/// What is left of a plan when time is short.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effort {
    /// All of it.
    Full,
    /// The model is asked once, on the most promising pages.
    OneSample,
    /// It is shown fewer pictures, coarser, and nothing closer.
    FewPictures,
    /// It is asked once and shown no pictures.
    NoPictures,
    /// It is not asked.
    Offline,
}

impl Effort {
    /// From the most to the least.
    pub const ALL: [Self; 5] = [Self::Full, Self::OneSample, Self::FewPictures, Self::NoPictures, Self::Offline];

    /// What is left of the plan.
    #[must_use]
    pub fn of(self, plan: &Plan) -> Plan {
        match self {
            Self::Full => *plan,
            Self::OneSample => Plan { samples: plan.samples.min(1), look_through: 0, survey: 0, ..*plan },
            Self::FewPictures => {
                let (pictures, dpi) = (plan.pictures.min(3), plan.dpi.min(110));
                Plan { pictures, zooms: 0, dpi, ..Self::OneSample.of(plan) }
            }
            Self::NoPictures => Plan { pictures: 0, ..Self::FewPictures.of(plan) },
            Self::Offline => Plan { samples: 0, ..Self::NoPictures.of(plan) },
        }
    }
}
