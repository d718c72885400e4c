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
    /// Resolution of the pictures, in dots per inch.
    pub dpi: u32,
    /// Pixels of the longer side of a picture, at most.
    pub side: u32,
    /// Bytes of text of all pages together, at most.
    pub text: usize,
    /// The model looks through documents of at most so many pages to choose some; 0 for the search alone.
    pub look_through: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Self { pages: 10, samples: 2, pictures: 6, dpi: 144, side: 1568, text: 120_000, look_through: 0 }
    }
}

/// What is left of a plan when time is short.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effort {
    /// All of it.
    Full,
    /// The model is asked once.
    OneSample,
    /// It is asked once and shown no pictures.
    NoPictures,
    /// It is not asked.
    Offline,
}

impl Effort {
    /// From the most to the least.
    pub const ALL: [Self; 4] = [Self::Full, Self::OneSample, Self::NoPictures, Self::Offline];

    /// What is left of the plan.
    #[must_use]
    pub fn of(self, plan: &Plan) -> Plan {
        match self {
            Self::Full => *plan,
            Self::OneSample => Plan { samples: plan.samples.min(1), look_through: 0, ..*plan },
            Self::NoPictures => Plan { pictures: 0, ..Self::OneSample.of(plan) },
            Self::Offline => Plan { samples: 0, ..Self::NoPictures.of(plan) },
        }
    }
}
