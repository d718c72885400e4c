//! Pictures and what is read off them.

use recto_model::{ModelError, Recognized, Recognizer};
use recto_page::{PageImage, Word};

use crate::{picture, recognizer};

fn read(image: &PageImage) -> Recognized {
    recognizer().recognize(image, &|| false).unwrap()
}

/// Lines as words between bars, sorted.
fn texts(read: &Recognized) -> Vec<String> {
    let text = |words: &[Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join("|");
    let mut texts: Vec<String> = read.lines.iter().map(|line| text(&line.words)).collect();
    texts.sort();
    texts
}

const PAGE: [&str; 5] = [
    "The|gauge|at|the|old|bridge|showed",
    "Warning|level|520|cm",
    "Water|levels|of|the|river",
    "a|mean|of|412.75|cm|in|March|2024,",
    "up|from|398.20|cm|a|year|before.",
];

#[test]
fn lines_are_read_upright_askew_and_white_on_dark() {
    for name in ["page", "skewed"] {
        let read = read(&picture(name));
        assert_eq!((texts(&read), read.turned), (PAGE.map(String::from).to_vec(), 0), "{name}");
        assert!(read.unread.is_empty());
    }
}

#[test]
fn axes_are_not_glued_and_their_titles_are_read() {
    let read = read(&picture("axis"));
    let mut numbers: Vec<String> = (0..7).map(|i| (10 * i).to_string()).chain((1..8).map(|i| i.to_string())).collect();
    numbers.push("Discharge".into());
    numbers.sort();
    assert_eq!(texts(&read), numbers);
    let title = read.lines.iter().find(|line| line.words[0].text == "Discharge").unwrap();
    assert_eq!(title.turned, 1);
}

#[test]
fn kana_are_read_and_other_scripts_are_not_believed() {
    assert_eq!(texts(&read(&picture("kana"))), ["これはテストです。", "ひらがなとカタカナ"]);
    let read = read(&picture("cyrillic"));
    assert_eq!((texts(&read), read.unread.len(), read.turned), (vec![], 2, 0));
}

/// The picture turned clockwise by a quarter.
fn turned(image: &PageImage) -> PageImage {
    let (w, h) = (image.width as usize, image.height as usize);
    let pixel = |x: usize, y: usize| &image.rgb[(y * w + x) * 3..][..3];
    let rgb = (0..w).flat_map(|y| (0..h).flat_map(move |x| pixel(y, h - 1 - x).iter().copied())).collect();
    PageImage { width: image.height, height: image.width, rgb, ..*image }
}

#[test]
fn a_turned_page_is_read_and_its_words_stay_in_place() {
    let mut image = picture("page");
    for turns_back in [3, 2, 1] {
        image = turned(&image);
        let read = read(&image);
        assert_eq!((texts(&read), read.turned), (PAGE.map(String::from).to_vec(), turns_back));
        let word = read.lines.iter().flat_map(|line| &line.words).find(|word| word.text == "412.75").unwrap();
        // The number stands at (173, 133) to (246, 150) of the upright picture of 640 x 400 pixels.
        let (x, y) = (210.0 / 640.0, 142.0 / 400.0);
        let want = [(x, y), (y, 1.0 - x), (1.0 - x, 1.0 - y), (1.0 - y, x)][turns_back as usize];
        let (x, y) = word.region.center();
        assert!((x - want.0).abs() < 0.02 && (y - want.1).abs() < 0.02, "{x} {y}, not {want:?}");
    }
}

#[test]
fn words_stand_where_they_were_drawn() {
    let read = read(&picture("page"));
    let word = read.lines.iter().flat_map(|line| &line.words).find(|word| word.text == "412.75").unwrap();
    let [left, top, right, bottom] = word.region.ltrb();
    for (got, want) in [(left * 640.0, 173.0), (top * 400.0, 133.0), (right * 640.0, 246.0), (bottom * 400.0, 150.0)] {
        assert!((got - want).abs() < 7.0, "{:?}", word.region);
    }
}

#[test]
fn odd_pictures_have_no_text_and_do_no_harm() {
    let noise = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) as u8;
    for (width, height) in [(0, 0), (0, 9), (1, 1), (3, 2), (1, 3000), (3000, 1), (31, 33), (200, 2000)] {
        for fill in [|_| 0, |_| 255, noise] {
            let rgb = (0..width * height * 3).map(fill).collect();
            let image = PageImage { width: width as u32, height: height as u32, dpi: 72, rgb };
            assert_eq!(texts(&read(&image)), [""; 0], "{width} x {height}");
        }
    }
    let image = PageImage { width: 3, height: 3, dpi: 72, rgb: vec![0; 26] };
    assert_eq!(
        recognizer().recognize(&image, &|| false),
        Err(ModelError::BadPicture { width: 3, height: 3, bytes: 26 })
    );
}

#[test]
fn what_was_read_until_it_is_stopped_is_kept() {
    let image = picture("page");
    for lines in 0..=PAGE.len() {
        let asked = std::cell::Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= lines;
        let read = recognizer().recognize(&image, &stop).unwrap();
        assert_eq!((read.lines.len(), read.stopped), (lines, lines < PAGE.len()));
    }
}

#[test]
fn threads_share_the_models_and_read_the_same() {
    let image = picture("axis");
    let reads = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| read(&image))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(reads.iter().all(|one| *one == reads[0]));
}
