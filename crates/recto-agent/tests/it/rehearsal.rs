//! A batch stays inside its time, whatever the model does, and does what it can.

use std::time::Duration;

use recto_agent::pipeline::Effort;

#[expect(dead_code, reason = "an example's own main is not called")]
#[path = "../../examples/rehearsal.rs"]
mod example;

use example::{Rehearsal, Report, rehearse};

fn rows(report: &Report, efforts: &[Effort]) -> usize {
    efforts.iter().filter_map(|effort| report.rows.get(effort)).sum()
}

/// 1,250 questions at 10 s a call, with 5 % failures and ten minutes without the model: nothing is left out.
#[test]
fn a_batch_outlives_an_outage() {
    let report = rehearse(&Rehearsal::default()).unwrap();
    assert!(report.took < Duration::from_secs(10_200), "{report}");
    assert_eq!((rows(&report, &[Effort::Full]), report.missed), (1_250, 0), "{report}");
    assert!(report.again > 0, "{report}");
}

/// The slower the model, the less is asked of it; rows never fail to come, nor come late.
#[test]
fn a_batch_does_less_where_the_model_is_slow() {
    let scaled = |call: u64| {
        let (deadline, outage) = (Duration::from_secs(1_020), (Duration::from_secs(60), Duration::from_secs(120)));
        let call = Duration::from_secs(call);
        rehearse(&Rehearsal { questions: 125, at_once: 16, deadline, call, outage, failing: 5 }).unwrap()
    };
    let mut before = f64::INFINITY;
    for call in [10, 40, 80, 160, 600] {
        let report = scaled(call);
        assert!(report.took <= Duration::from_secs(1_021), "{call} s: {report}");
        assert_eq!(report.rows.values().sum::<usize>(), 125, "{call} s: {report}");
        let full = rows(&report, &[Effort::Full]) as f64 / 125.0;
        assert!(full <= before, "{call} s: {report}");
        before = full;
        // As many as there is time for have the model's answer; where hardly one call fits, it is not asked.
        let most = (16.0 * 1_020.0 / (call as f64) / 125.0).min(1.0);
        let by_model = (125 - report.missed) as f64 / 125.0;
        assert!(call > 160 || by_model >= 0.6 * most - 0.05, "{call} s: {by_model:.2} of {most:.2}: {report}");
    }
}
