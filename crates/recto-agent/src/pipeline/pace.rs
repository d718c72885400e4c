//! Shares a deadline out over the questions that are left. Times come from whoever has a clock.

use std::time::Duration;

use super::Effort;

/// What a question takes at each [effort](Effort), one call without pictures being 1.
const WORK: [f64; 5] = [4.0, 1.4, 1.2, 1.0, 0.0];
/// How much the last question counts for the speed.
const LAST: f64 = 0.2;
/// So much of the time is kept back: questions differ.
const RESERVE: f64 = 0.1;

/// The speed of the model as it was seen, and what can be done with the time that is left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Seconds for one unit of work; `None` before the first question.
    unit: Option<f64>,
}

impl Pace {
    /// Notes how long a question took.
    pub fn note(&mut self, effort: Effort, took: Duration) {
        let work = work(effort);
        if work > 0.0 {
            let unit = took.as_secs_f64() / work;
            self.unit = Some(self.unit.map_or(unit, |known| known + LAST * (unit - known)));
        }
    }

    /// The most that can be done for each of `questions` if `at_once` of them are worked on together.
    pub fn effort(&self, left: Duration, questions: usize, at_once: usize) -> Effort {
        let share = self.share(left, questions, at_once).as_secs_f64();
        let Some(unit) = self.unit else { return if share > 0.0 { Effort::Full } else { Effort::Offline } };
        Effort::ALL.into_iter().find(|effort| work(*effort) * unit <= share).unwrap_or(Effort::Offline)
    }

    /// The time for one question.
    pub fn share(&self, left: Duration, questions: usize, at_once: usize) -> Duration {
        let rounds = questions.div_ceil(at_once.max(1)).max(1);
        left.mul_f64(1.0 - RESERVE).div_f64(rounds as f64)
    }
}

fn work(effort: Effort) -> f64 {
    WORK.get(effort as usize).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_is_done_the_less_time_there_is() {
        let mut pace = Pace::default();
        assert_eq!(pace.effort(Duration::from_secs(1), 100, 1), Effort::Full);
        assert_eq!(pace.effort(Duration::ZERO, 1, 1), Effort::Offline);
        pace.note(Effort::OneSample, Duration::from_secs(14));
        let check = |seconds: u64, questions: usize, at_once: usize, want: Effort| {
            let left = Duration::from_secs(seconds);
            assert_eq!(pace.effort(left, questions, at_once), want, "{seconds} s for {questions}");
        };
        check(1000, 10, 1, Effort::Full);
        check(1000, 80, 8, Effort::Full);
        check(200, 10, 1, Effort::OneSample);
        check(140, 10, 1, Effort::FewPictures);
        check(120, 10, 1, Effort::NoPictures);
        check(50, 10, 1, Effort::Offline);
        check(50, 0, 0, Effort::Full);
    }

    #[test]
    fn the_speed_follows_what_is_seen() {
        let mut pace = Pace::default();
        pace.note(Effort::Offline, Duration::from_secs(1));
        assert_eq!(pace.unit, None);
        pace.note(Effort::NoPictures, Duration::from_secs(10));
        pace.note(Effort::NoPictures, Duration::from_secs(20));
        assert_eq!(pace.unit, Some(12.0));
    }
}
