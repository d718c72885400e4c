//! Scripted episodes: what is told, what is counted, what is remembered, how it ends.

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::action::Tool;
use crate::fake_toolbox::FakeToolbox;
use crate::planner::{Lines, Offline, Planner, Replay, Turn};
use crate::run::run;
use crate::trajectory::{Named, Trajectory, atif};
use crate::{fence::Fence, prediction, prompt};

fn page(number: u32) -> PageHandle {
    PageHandle::new(number)
}

fn submit(numbers: impl IntoIterator<Item = u32>) -> Value {
    let answers: Vec<Value> = numbers
        .into_iter()
        .map(|n| json!({"page_handle": page(n), "evidence_page_handles": [page(n)], "rationale": "r"}))
        .collect();
    json!({"action": SUBMIT, "ranked_answers": answers, "overall_rationale": "o"})
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"action": tool, "arguments": arguments, "reason": "r"})
}

fn search(query: &str, top_k: u32) -> Value {
    call("visual_search", json!({"query": query, "top_k": top_k}))
}

fn episode(route: Route, ablations: &[Ablation]) -> Episode {
    Episode::new(Protocol::new(route, ablations, "fake"), "the task", 40)
}

/// Plays replies to the end, storing and restoring the episode after every step.
fn play_on(mut episode: Episode, toolbox: &FakeToolbox, replies: &[Value]) -> Episode {
    let said = replies.iter().map(|reply| reply.as_str().map_or_else(|| reply.to_string(), Into::into));
    let mut planner = Replay::new(said.collect::<Vec<String>>());
    loop {
        let mut stored = String::new();
        let stop = run(&mut episode, &mut planner, toolbox, &|| Duration::ZERO, |episode| {
            stored = serde_json::to_string(episode).unwrap();
            Err(())
        });
        if stop.is_ok() {
            return episode;
        }
        let restored: Episode = serde_json::from_str(&stored).unwrap();
        assert_eq!(restored, episode, "an episode is the same when it is read again");
        episode = restored;
    }
}

fn play(replies: &[Value]) -> Episode {
    play_on(episode(Route::Visual, &[]), &FakeToolbox::new(40), replies)
}

fn status(episode: &Episode) -> Status {
    episode.end.as_ref().unwrap().status
}

fn observation(episode: &Episode, row: usize) -> Value {
    json!(episode.trace[row].observation)
}

#[track_caller]
fn check_error(episode: &Episode, row: usize, holds: &str) {
    let told = observation(episode, row);
    assert_eq!(told["ok"], false, "{told}");
    assert!(told["error"].as_str().unwrap().contains(holds), "{told}");
    assert_eq!(told["usage"], json!(episode.trace[row].usage_after));
}

/// Twelve steps on the visual route, each tool, faults among them, and the ranking at the end.
#[test]
fn twelve_steps_on_the_visual_route() {
    let all = play(&[
        search("a", 4),
        call("inspect_pages", json!({"page_handles": ["page_000002", "page_000001"]})),
        call(
            "crop_pages",
            json!({"crops": [
                {"page_handle": "page_000002", "region": [0, 0, 0.5, 1], "purpose": "axis"},
                {"page_handle": "page_000003", "region": [0, 0, 1, 1]},
                {"page_handle": "page_000001", "region": [0.5, 0.5, 1, 1]},
            ]}),
        ),
        call("ocr_image", json!({"target_handle": "crop_000002_000001"})),
        call("ocr_image", json!({"target_handle": "page_000004"})),
        call("ocr_image", json!({"target_handle": "page_000005"})),
        call("inspect_pages", json!({"page_handles": ["page_000003", "page_000030"]})),
        search("20", 50),
        search(" ", 5),
        json!("prose"),
        call("ocr_image", json!({"target_handle": "crop_000002_000009"})),
        call("crop_pages", json!({"crops": [{"page_handle": "page_000009", "region": [0, 0, 1, 1]}]})),
        submit((20..29).chain([4])),
    ]);
    assert_eq!(status(&all), Status::ForcedSubmitAfterMaxSteps);
    assert_eq!(all.end.as_ref().unwrap().stop, Stop::Steps);
    let usage = |name: &str| all.usage.0[name];
    assert_eq!(usage("visual_search_calls"), 2, "a search without words does not count");
    assert_eq!((usage("inspect_pages_calls"), usage("inspected_page_images")), (1, 2));
    assert_eq!((usage("crop_pages_calls"), usage("cropped_regions")), (2, 2), "a batch that fails counts");
    assert_eq!((usage("ocr_image_calls"), usage("full_page_ocr_calls")), (2, 1));
    assert_eq!(
        observation(&all, 0),
        json!({"ok": true, "results": [
            {"page_handle": "page_000001", "score": 1.0}, {"page_handle": "page_000002", "score": 0.5},
            {"page_handle": "page_000003", "score": 1.0 / 3.0}, {"page_handle": "page_000004", "score": 0.25},
        ], "usage": all.trace[0].usage_after})
    );
    let inspected = observation(&all, 1);
    assert_eq!(inspected["requested_page_handles"], json!(["page_000002", "page_000001"]));
    assert_eq!(
        inspected["loaded_pages"][0],
        json!({"page_handle": "page_000002", "page_width": 20, "page_height": 10})
    );
    assert_eq!(inspected["failed_pages"], json!([]));
    let cropped = observation(&all, 2);
    assert_eq!(
        cropped["crops"][1],
        json!({"index": 2, "status": "success", "crop_handle": "crop_000001_000002", "source_page_handle": "page_000001",
            "region": [0.5, 0.5, 1.0, 1.0], "purpose": "", "purpose_missing": true, "area_fraction": 0.25,
            "crop_width": 10, "crop_height": 5})
    );
    assert_eq!(cropped["failed_crops"][0]["index"], 1);
    assert_eq!(cropped["failed_crops"][0]["status"], "invalid_request");
    assert_eq!(observation(&all, 3)["ocr_text"], "text of page_000002 Some([0.0, 0.0, 0.5, 1.0])");
    assert_eq!(observation(&all, 4)["target_handle"], "page_000004");
    check_error(&all, 5, "page_000005 was not returned by any visual_search");
    check_error(&all, 6, "page_000030 was not returned");
    check_error(&all, 8, "needs query");
    check_error(&all, 9, "is no page or crop of this episode");
    assert_eq!(observation(&all, 10)["ok"], false);
    assert_eq!(all.visible, all.trace[2].artifacts, "crops stay visible until other pictures come");
    assert_eq!(all.seen, [1, 2, 4].map(page).into(), "reading and cropping count as seen, finding does not");
    let events: Vec<Event> = all.decisions.iter().map(|decision| decision.event_type).collect();
    assert_eq!(events.iter().filter(|event| **event == Event::FormatError).count(), 1);
    let end = &all.end.as_ref().unwrap().submission;
    assert_eq!(end.ranked_answers.len(), 10);
    assert_eq!(end.ranked_answers[9].evidence_page_handles, [page(4)]);
    assert_eq!(end.normalization_warnings.len(), 9, "unseen evidence is left out");
}

#[test]
fn twelve_steps_on_the_text_route() {
    let text = |arguments| call("get_page_ocr", arguments);
    let find = |query: &str| call("text_search", json!({ "query": query }));
    let all = play_on(
        episode(Route::Text, &[]),
        &FakeToolbox { broken: Some(3), ..FakeToolbox::new(40) },
        &[
            find("a"),
            text(json!({"page_handle": "page_000001"})),
            text(json!({"page_handle": "page_000001", "region": [0, 0, 1, 1]})),
            text(json!({"page_handle": "page_000011"})),
            text(json!({"page_handle": "page_000003"})),
            call("inspect_pages", json!({"page_handles": ["page_000002", "page_000003"]})),
            call("inspect_pages", json!({"page_handles": "page_000002"})),
            call(
                "crop_pages",
                json!({"crops": {"page_handle": "page_000002", "region": [0, 0, 0.01, 1], "purpose": "p"}}),
            ),
            call(
                "crop_pages",
                json!({"crops": {"page_handle": "page_000002", "region": [0, 0, 1, 1], "purpose": "p"}}),
            ),
            text(json!({"page_handle": "crop_000002_000001"})),
            find("?"),
            find("30"),
            submit(1..=10),
        ],
    );
    assert_eq!(status(&all), Status::ForcedSubmitAfterMaxSteps);
    let right = json!({"text_search_calls": 3, "get_page_ocr_calls": 2, "inspect_pages_calls": 1, "inspected_page_images": 1,
        "crop_pages_calls": 2, "cropped_regions": 1});
    assert_eq!(json!(all.usage), right);
    assert_eq!(observation(&all, 1)["ocr_text"], "text of page_000001\u{1b}", "the trace holds what the tool gave");
    check_error(&all, 2, "leave out region");
    check_error(&all, 3, "page_000011 was not returned by any text_search");
    check_error(&all, 4, "the page is broken");
    check_error(&all, 5, "page_000003: the page is broken");
    assert_eq!(observation(&all, 7)["failed_crops"][0]["status"], "execution_error", "a fifth of a pixel is none");
    check_error(&all, 9, "no crops");
    check_error(&all, 10, "no word");
    assert_eq!(all.seen, [1, 2].map(page).into(), "a text that failed is not seen");
    assert_eq!(all.trace[0].search_route.as_deref(), Some("fake"));
    assert_eq!(all.trace[1].search_route, None);
}

/// What a reply leads to after a first search has found ten pages.
#[test]
fn faults_are_repaired_once() {
    let check = |replies: &[Value], right: Status, step: u32| {
        let all = play(&[&[search("a", 10)], replies].concat());
        assert_eq!((status(&all), all.step), (right, step), "{replies:?}: {:?}", all.end);
        all
    };
    let unknown = || call("web_search", json!({}));
    let refusals = |all: &Episode| all.decisions.iter().map(|decision| decision.error.is_some()).collect::<Vec<_>>();
    check(&[submit(1..=10)], Status::Submitted, 2);
    check(&[submit(1..=9), submit(1..=10)], Status::Submitted, 3);
    check(&[submit(1..=9), submit(1..=9)], Status::InvalidSubmission, 3);
    let all = check(&[unknown(), submit(1..=10)], Status::Submitted, 3);
    assert_eq!(refusals(&all), [false, true, false]);
    let all = check(&[unknown(), submit(1..=9)], Status::InvalidSubmission, 3);
    assert_eq!(refusals(&all), [false, true, true]);
    check(&[unknown(), unknown()], Status::InvalidAction, 3);
    check(&[json!({"arguments": {}}), json!([1])], Status::ProviderError, 4);
    // What can't be read spends steps without end; it is told each time, and is no fault that is repaired.
    let prose = vec![json!("no"); 9];
    check(&[prose.as_slice(), &[unknown(), submit(1..=10)]].concat(), Status::Submitted, 12);
    let all = check(&[vec![json!("no"); 11], vec![submit(1..=10)]].concat(), Status::ForcedSubmitAfterMaxSteps, 13);
    assert_eq!(all.decisions.last().unwrap().phase, "finalization");
    assert_eq!(all.decisions.last().unwrap().step, 13);
}

#[test]
fn the_last_call_can_fail_too() {
    let check = |last: Value, right: Status| {
        let all = play(&[vec![search("37", 10)], vec![search("a", 3); 11], vec![last.clone()]].concat());
        assert_eq!(status(&all), right, "{last}");
        assert_eq!(all.end.unwrap().submission.ranked_answers.is_empty(), right != Status::ForcedSubmitAfterMaxSteps);
    };
    check(submit((37..=40).chain(1..=3)), Status::ForcedSubmitAfterMaxSteps);
    check(submit(37..=40), Status::ForcedSubmitInvalidSubmission);
    check(search("a", 3), Status::ForcedSubmitInvalidAction);
    check(json!("no"), Status::ForcedSubmitFormatError);
}

#[test]
fn planners_that_say_nothing() {
    let check = |failure: Failure, steps: u32, right: Status| {
        let mut episode = episode(Route::Visual, &[]);
        episode.protocol.budget.steps = steps;
        episode.decided(Reply::none(failure));
        assert_eq!(status(&episode), right);
        assert_eq!(episode.decisions[0].error.as_deref(), Some("why"));
    };
    let why = || "why".to_owned();
    check(Failure::Provider(why()), 12, Status::ProviderError);
    check(Failure::Unavailable(why()), 12, Status::PlannerRetryExhausted);
    check(Failure::TimedOut(why()), 12, Status::StepWallTimeout);
    check(Failure::Provider(why()), 0, Status::ProviderError);
    check(Failure::Unavailable(why()), 0, Status::ForcedSubmitRetryExhausted);
    check(Failure::TimedOut(why()), 0, Status::ForcedSubmitTimeout);
}

#[test]
fn another_limit_than_steps_also_ends_in_a_ranking() {
    let mut episode = episode(Route::Visual, &[]);
    episode.protocol.budget.images = Some(2);
    let all = play_on(
        episode,
        &FakeToolbox::new(40),
        &[
            search("a", 10),
            call("inspect_pages", json!({"page_handles": ["page_000001", "page_000002"]})),
            search("b", 10),
            submit(1..=10),
        ],
    );
    assert_eq!(all.end.unwrap().stop, Stop::Images);
}

/// What an ablation took away can't be called: it is told what there is, and the second time the episode ends.
#[test]
fn what_is_taken_away_cannot_be_called() {
    for (route, ablation) in [Route::Visual, Route::Text].into_iter().flat_map(|r| Ablation::ALL.map(|a| (r, a))) {
        for tool in ToolSet::new(route, &[]).tools() {
            let mut episode = episode(route, &[ablation]);
            episode.decided(Reply::words(call(tool.name(), json!({"query": "a"})).to_string()));
            let there = episode.protocol.tools.has(tool);
            assert_eq!(episode.feedback.is_none(), there, "{tool:?} with {ablation:?}");
            if let Some(feedback) = episode.feedback {
                assert!(feedback.text.contains("is not available in this episode"), "{feedback:?}");
            }
        }
    }
    let other = guard::unknown_action("text_search", &ToolSet::new(Route::Visual, &[]));
    assert!(other.contains("visual_search") && other.contains(SUBMIT), "{other}");
}

#[test]
fn pages_shown_first_cost_no_step_and_are_seen() {
    let mut begun = episode(Route::Text, &[Ablation::SupportProvided]);
    begun.show_first(&[(page(7), (20, 10)), (page(41), (1, 1))]);
    assert_eq!((begun.step, &begun.visible), (1, &vec![ImageHandle::Page(page(7))]));
    let told = prompt::turn(&begun, &Fence::new("x"));
    assert!(told.contains(INITIAL) && told.contains("before your first turn"), "{told}");
    for word in ["gold", "hop", "bridge"] {
        assert!(!told.contains(word), "{word}");
    }
    let all = play_on(
        begun,
        &FakeToolbox::new(40),
        &[
            call("crop_pages", json!({"crops": [{"page_handle": "page_000007", "region": [0, 0, 1, 1]}]})),
            call("text_search", json!({"query": "20"})),
            submit((20..29).chain([7])),
        ],
    );
    assert_eq!(status(&all), Status::Submitted);
    let row = prediction::row(&all, "q", "f");
    assert_eq!(row["schema_version"], "VisDocAgentBenchOCRTextAgentV1.SupportProvidedV1");
    assert_eq!(row["tool_trace"].as_array().unwrap().len(), 2);
    assert_eq!(row["initial_page_observations"]["loaded_pages"][0]["page_handle"], "page_000007");
}

#[test]
fn circles_are_noted() {
    let mut episode = episode(Route::Visual, &[]);
    let mut notes = Vec::new();
    let toolbox = FakeToolbox::new(40);
    for query in ["a  B", "99", "98", "A b"] {
        episode.decided(Reply::words(search(query, 5).to_string()));
        let Next::Act(wanted) = episode.next() else { panic!("{:?}", episode.next()) };
        let outcome = crate::toolbox::act(&toolbox, wanted);
        episode.acted(outcome);
        notes.push(guard::notes(&episode).join("; "));
    }
    assert_eq!(notes[..2], ["", ""]);
    assert!(notes[2].contains("2 searches in a row found no page"), "{notes:?}");
    assert!(notes[3].contains("searched before (call 1)"), "{notes:?}");
    assert!(prompt::turn(&episode, &Fence::new("x")).contains("searched before"));
}

#[test]
fn the_prompt_holds_the_state_and_no_page_speaks_outside_its_fence() {
    let mut begun = episode(Route::Text, &[]);
    let toolbox = FakeToolbox::new(40);
    let mut planner = Replay::new([
        call("text_search", json!({"query": "a"})).to_string(),
        call("get_page_ocr", json!({"page_handle": "page_000001"})).to_string(),
    ]);
    run(&mut begun, &mut planner, &toolbox, &|| Duration::ZERO, |episode| {
        if episode.step > 2 && episode.trace.len() == 2 { Err(()) } else { Ok(()) }
    })
    .unwrap_err();
    let fence = Fence::new("x");
    let told = prompt::turn(&begun, &fence);
    let state: Value = serde_json::from_str(told.split_once("State of the episode:\n").unwrap().1).unwrap();
    assert_eq!(state["task_query"], "the task");
    assert_eq!(
        state["step_usage"],
        json!({"current_step": 3, "max_steps": 12, "steps_remaining_after_this_action": 9})
    );
    let limits = json!({"max_text_search_top_k": 50, "max_get_page_ocr_pages_per_call": 1, "max_inspect_pages_per_call": 10,
        "max_crop_regions_per_call": 10});
    assert_eq!(state["per_call_limits"], limits);
    let text = state["tool_observations"][1]["observation"]["ocr_text"].as_str().unwrap();
    assert_eq!(text, format!("{}\ntext of page_000001\n{}", fence.begin(), fence.end()));
}

#[test]
fn the_chat_planner_plays_an_episode() {
    let replies = [search("a", 10), call("inspect_pages", json!({"page_handles": ["page_000001"]})), submit(1..=10)];
    let chat = recto_model::chat::FakeChat::new(replies.map(|reply| reply.to_string()));
    let mut planner = crate::planner::ChatPlanner::new(&chat, recto_model::Ledger::default(), Fence::new("x"), 3200);
    let mut played = episode(Route::Visual, &[]);
    run(&mut played, &mut planner, &FakeToolbox::new(40), &|| Duration::ZERO, |_| Ok::<(), ()>(())).unwrap();
    assert_eq!((status(&played), played.spent.images), (Status::Submitted, 1));
    let mut again = episode(Route::Visual, &[]);
    run(&mut again, &mut planner, &FakeToolbox::new(40), &|| Duration::ZERO, |_| Ok::<(), ()>(())).unwrap();
    assert_eq!(status(&again), Status::PlannerRetryExhausted);
}

/// What a model that sees no pictures is asked in each turn, and the notes of its decisions.
fn played_blind(ablations: &[Ablation]) -> (Vec<recto_model::ChatRequest>, Vec<Vec<String>>) {
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = asked.clone();
    let inspect = call("inspect_pages", json!({"page_handles": ["page_000001", "page_000003"]}));
    let replies = [search("a", 10), inspect, submit(1..=10)];
    let chat = recto_model::chat::FakeChat::by(move |request: &recto_model::ChatRequest| {
        let mut kept = kept.lock().unwrap();
        kept.push(request.clone());
        Ok(replies[kept.len() - 1].to_string())
    });
    let chat = chat.with_reach(recto_model::Reach { pictures: false, ..Default::default() });
    let mut planner = crate::planner::ChatPlanner::new(&chat, recto_model::Ledger::default(), Fence::new("x"), 3200);
    let mut played = episode(Route::Visual, ablations);
    run(&mut played, &mut planner, &FakeToolbox::new(40), &|| Duration::ZERO, |_| Ok::<(), ()>(())).unwrap();
    let notes = Trajectory::new(&played, Named { id: "i", planner: "p", fingerprint: "f" }).steps;
    let asked = asked.lock().unwrap().clone();
    (asked, notes.into_iter().map(|step| step.decision.notes).collect())
}

#[test]
fn a_planner_that_sees_no_pictures_is_told_their_words_and_the_trace_says_so() {
    let (asked, notes) = played_blind(&[]);
    assert!(asked.iter().all(|request| request.images() == 0));
    let told = asked[2].messages[0].text();
    let fence = Fence::new("x");
    let words = format!("the words on page_000001:\n{}", fence.around("text of page_000001 None"));
    assert!(told.contains(&words), "{told}");
    assert_eq!(notes, [vec![], vec![], vec!["the model sees no pictures: it was told the words on them".to_owned()]]);
    let (asked, _) = played_blind(&[Ablation::NoTextAccess]);
    let told = asked[2].messages[0].text();
    assert!(told.contains("of page_000001 no words are known") && !told.contains("text of page_000001"), "{told}");
}

#[test]
fn the_rules_submit_ten_pages_whatever_is_taken_away() {
    for route in [Route::Visual, Route::Text] {
        for ablations in [&[][..], &[Ablation::NoCrop], &[Ablation::NoTextAccess], &[Ablation::NoPageInspection]] {
            let mut played = episode(route, ablations);
            played.task = "the chart of Harrow College, which has 2 colours".into();
            run(&mut played, &mut Offline, &FakeToolbox::new(40), &|| Duration::ZERO, |_| Ok::<(), ()>(())).unwrap();
            let end = played.end.as_ref().unwrap();
            assert_eq!((end.status, end.submission.ranked_answers.len()), (Status::Submitted, 10), "{ablations:?}");
            assert!(played.trace.iter().all(|row| row.observation.is_ok()), "{:?}", played.trace);
        }
    }
    // Fewer than ten pages can't be submitted; they are ranked at the end.
    let mut small = Episode::new(Protocol::new(Route::Text, &[], "fake"), "task", 3);
    run(&mut small, &mut Offline, &FakeToolbox::new(3), &|| Duration::ZERO, |_| Ok::<(), ()>(())).unwrap();
    assert_eq!(small.end.unwrap().submission.ranked_answers.len(), 3);
}

#[test]
fn a_person_or_program_plays_over_two_streams() {
    let replies =
        [search("a", 10), call("inspect_pages", json!({"page_handles": ["page_000009"]})), json!("eh"), submit(1..=10)];
    let input: String = replies.iter().map(|reply| format!("{reply}\n\n")).collect();
    let mut output = Vec::new();
    let mut played = episode(Route::Visual, &[]);
    let mut planner = Lines::new(input.as_bytes(), &mut output, Fence::new("x"), |shown: &crate::planner::Shown| {
        Ok(format!("{}.png", shown.handle))
    });
    run(&mut played, &mut planner, &FakeToolbox::new(40), &|| Duration::ZERO, |_| Ok::<(), ()>(())).unwrap();
    drop(planner);
    assert_eq!(status(&played), Status::Submitted);
    let lines: Vec<Value> =
        output.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[0]["task"], &lines[0]["steps_left"]), (&json!("the task"), &json!(12)));
    assert!(lines[0]["instructions"].as_str().unwrap().contains("visual_search"));
    assert_eq!(lines[1]["observations"][0]["observation"]["results"].as_array().unwrap().len(), 10);
    assert_eq!(lines[1].get("task"), None, "the instructions are told once");
    let image = json!([{"handle": "page_000009", "file": "page_000009.png", "width": 20, "height": 10}]);
    assert_eq!(lines[2]["visible_images"], image);
    assert_eq!(lines[3]["your_last_reply"], prompt::UNREADABLE);
    assert_eq!(lines[3].get("observations"), None);
}

#[test]
fn an_episode_is_kept_whole() {
    let all = play(&[
        search("a", 10),
        json!("eh"),
        call("inspect_pages", json!({"page_handles": ["page_000001"]})),
        submit(1..=10),
    ]);
    let named = Named { id: "q1", planner: "replay", fingerprint: "f" };
    let trajectory = Trajectory::new(&all, named);
    let line = serde_json::to_string(&trajectory).unwrap();
    assert_eq!(serde_json::from_str::<Trajectory>(&line).unwrap(), trajectory);
    let mut replayed = episode(Route::Visual, &[]);
    let clock = || Duration::ZERO;
    run(&mut replayed, &mut Replay::read(&line), &FakeToolbox::new(40), &clock, |_| Ok::<(), ()>(())).unwrap();
    assert_eq!(replayed, all, "a trajectory can be played again");
    let steps: Vec<Option<&str>> =
        trajectory.steps.iter().map(|step| step.call.as_ref().map(|call| call.tool_name.as_str())).collect();
    assert_eq!(steps, [Some("visual_search"), None, Some("inspect_pages"), None]);
    let exported = atif(&trajectory, &|handle| Some(format!("images/{handle}.png")));
    assert_eq!(exported["schema_version"], "ATIF-v1.8");
    assert_eq!(exported["steps"].as_array().unwrap().len(), 5);
    let content = &exported["steps"][3]["observation"]["results"][0]["content"];
    assert_eq!(content[1]["source"]["path"], "images/page_000001.png");
    assert_eq!(exported["steps"][4]["tool_calls"][0]["function_name"], SUBMIT);
    for (at, step) in exported["steps"].as_array().unwrap().iter().enumerate() {
        assert_eq!(step["step_id"], at + 1);
    }
}

#[test]
fn a_prediction_has_the_published_fields() {
    let all = play(&[search("a", 10), submit(1..=10)]);
    let row = prediction::row(&all, "q1", "f");
    for name in [
        "schema_version",
        "harness_version",
        "query_id",
        "query",
        "submission",
        "tool_trace",
        "model_outputs",
        "status",
        "tool_usage",
        "request_audit",
    ] {
        assert!(row.contains_key(name), "{name}");
    }
    assert_eq!(
        (&row["status"], &row["schema_version"]),
        (&json!("submitted"), &json!("VisDocAgentBenchVisualAgentV1"))
    );
    assert_eq!(row["submission"]["ranked_answers"][0]["page_handle"], "page_000001");
    assert_eq!(row.get("ablation"), None);
    assert_eq!(row["request_audit"]["logical_planner_turns"], 2);
    let without = play_on(episode(Route::Text, &[Ablation::NoPageInspection]), &FakeToolbox::new(40), &[json!("x")]);
    let tools = &prediction::row(&without, "q1", "f")["ablation"];
    assert_eq!(tools["disabled_information_tools"], json!(["inspect_pages", "crop_pages"]));
    assert_eq!(tools["enabled_information_tools"], json!(["text_search", "get_page_ocr"]));
}

/// Whatever is said, an episode ends in a legal state, and nothing panics.
#[test]
fn odd_replies() {
    let odd = [
        json!({"action": null}),
        json!({"action": 7, "arguments": []}),
        call("crop_pages", json!({"crops": [null, {"page_handle": {}, "region": [null, {}, [], ""]}]})),
        call("inspect_pages", json!({"page_handles": [null, 1, {}]})),
        call("ocr_image", json!({"target_handle": ["crop_000001_000001"]})),
        search("a", u32::MAX),
        json!({"action": SUBMIT, "ranked_answers": {}}),
        json!({"action": SUBMIT, "ranked_answers": vec![Value::Null; 10]}),
        json!(Tool::ALL.map(Tool::name)),
    ];
    for first in &odd {
        for second in &odd {
            let all = play(&[first.clone(), second.clone()]);
            assert!(all.end.is_some() && all.decisions.len() <= 3, "{first} {second}");
        }
    }
    let mut ended = play(&[json!("x")]);
    let before = ended.clone();
    ended.decided(Reply::words("{}"));
    ended.acted(Outcome::Drawn(Vec::new()));
    ended.abandon("why");
    assert_eq!(ended, before, "nothing changes an episode that has ended");
    let _ = Offline.decide(&Turn { episode: &ended, toolbox: &FakeToolbox::new(1) });
}

/// MJ#2797, renfield#1071, superplane#4123: prose, then a tool that is not there, then one query for ever. Each is told, one
/// is repaired, and the twelve steps end in a ranking.
#[test]
fn a_planner_that_goes_astray_still_ends_in_a_ranking() {
    let astray = [json!("I would look for the mill first."), search("mill", 10), call("web_search", json!({}))];
    let again = vec![search("Mill", 10); 9];
    let all = play(&[&astray[..], &again, &[submit(1..=10)]].concat());
    assert_eq!((status(&all), all.step), (Status::ForcedSubmitAfterMaxSteps, 13), "{:?}", all.end);
    assert_eq!(all.end.as_ref().unwrap().submission.ranked_answers.len(), 10);
    let phases: Vec<&str> = all.decisions.iter().map(|decision| decision.phase.as_str()).collect();
    assert_eq!((phases.len(), phases.last()), (13, Some(&"finalization")), "{phases:?}");
    assert!(guard::notes(&all).join("; ").contains("searched before"), "{:?}", guard::notes(&all));
}
