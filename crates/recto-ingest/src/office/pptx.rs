//! PowerPoint presentations: each slide is a page, with its speaker notes below.

use std::collections::BTreeMap;

use super::chart;
use super::package::Package;

use super::xml::{Tag, Visit};
use crate::Result;
use crate::laid_out::{Draft, Part, Shape, TableBuilder};

/// No presentation has more slides.
const MOST_SLIDES: usize = 20_000;

/// Reads the presentation whose main part has this name.
///
/// # Errors
/// When a part is damaged or too large.
pub(super) fn read(package: &mut Package<'_>, main: &str) -> Result<Draft> {
    let mut order = Order::default();
    package.walk(main, &mut order)?;
    let relations = package.relations(main)?;
    let mut draft = Draft::default();
    for id in order.0.into_iter().take(MOST_SLIDES) {
        if let Some(slide) = relations.iter().find(|relation| relation.id == id && relation.kind == "slide") {
            draft.start(Shape::Slide);
            read_slide(package, &slide.target, &mut draft)?;
        }
    }
    Ok(draft)
}

fn read_slide(package: &mut Package<'_>, part: &str, draft: &mut Draft) -> Result<()> {
    let mut relations = package.relations(part)?;
    let images = relations.iter().filter(|relation| relation.kind == "image");
    let images = images.map(|relation| (relation.id.clone(), relation.target.clone())).collect();
    let mut slide = Slide { images, ..Slide::default() };
    package.walk(part, &mut slide)?;
    slide.parts().into_iter().for_each(|part| draft.push(part));
    relations.sort_by_key(|relation| relation.kind == "notesSlide");
    for relation in relations {
        match relation.kind.as_str() {
            "notesSlide" => {
                let mut notes = Slide::default();
                package.walk(&relation.target, &mut notes)?;
                if !notes.body.is_empty() {
                    draft.push(Part::Label("Speaker notes".into()));
                    draft.push(Part::Text(notes.body.join("\n")));
                }
            }
            "chart" => chart::read(package, &relation.target)?.into_iter().for_each(|part| draft.push(part)),
            "diagramData" => {
                let mut diagram = Slide { is_diagram: true, ..Slide::default() };
                package.walk(&relation.target, &mut diagram)?;
                diagram.parts().into_iter().for_each(|part| draft.push(part));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The slides in the order of the show, by the names of their relationships.
#[derive(Default)]
struct Order(Vec<String>);

impl Visit for Order {
    fn open(&mut self, tag: &Tag<'_>) {
        if tag.name() == "sldId" {
            self.0.extend(tag.relation());
        }
    }
}

/// What a slide, its notes or a diagram on it says.
#[derive(Default)]
struct Slide {
    title: Vec<String>,
    /// The text of body placeholders alone, which is what the notes page of a slide adds.
    body: Vec<String>,
    others: Vec<Part>,
    is_hidden: bool,
    is_diagram: bool,
    /// The parts of pictures by the names of their relationships.
    images: BTreeMap<String, String>,
    tables: TableBuilder,
    /// The kind of placeholder that the shape at hand is.
    placeholder: Option<String>,
    lines: Vec<(Option<u8>, String)>,
    in_text: bool,
}

impl Slide {
    /// The title goes first, wherever it stands in the file.
    fn parts(self) -> Vec<Part> {
        let mut title = self.title.join(" ");
        if self.is_hidden {
            title = if title.is_empty() { "(hidden slide)".into() } else { format!("{title} (hidden slide)") };
        }
        let heading = (!title.is_empty()).then_some(Part::Heading(1, title));
        heading.into_iter().chain(self.others).collect()
    }

    fn end_shape(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let kind = self.placeholder.take();
        let is_body = matches!(kind.as_deref(), Some("body" | "obj" | "subTitle" | "tbl"));
        if matches!(kind.as_deref(), Some("title" | "ctrTitle")) && self.title.is_empty() {
            self.title = lines.into_iter().map(|(_, text)| text).collect();
            return;
        }
        if is_body {
            self.body.extend(lines.iter().map(|(_, text)| text.clone()));
            self.others.extend(lines.into_iter().map(item));
        } else {
            let text: Vec<String> = lines.into_iter().map(|(_, text)| text).collect();
            self.others.push(Part::Text(text.join("\n")));
        }
    }

    fn end_paragraph(&mut self) {
        let Some((_, text)) = self.lines.last() else { return };
        if text.trim().is_empty() {
            self.lines.pop();
        } else if self.tables.is_open() {
            self.tables.line(&text.clone());
            self.lines.pop();
        } else if self.is_diagram {
            self.others.extend(self.lines.pop().map(|(_, text)| Part::Item(0, format!("• {text}"))));
        }
    }

    fn add(&mut self, text: &str) {
        if let Some((_, line)) = self.lines.last_mut() {
            line.push_str(text);
        }
    }
}

/// A paragraph of a body placeholder: an item of a list, unless it says that it has no bullet.
fn item((level, text): (Option<u8>, String)) -> Part {
    match level {
        Some(level) => Part::Item(level, format!("• {text}")),
        None => Part::Text(text),
    }
}

impl Visit for Slide {
    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "sld" => self.is_hidden = tag.get("show").is_some_and(|show| show == "0" || show == "false"),
            // A placeholder without a type is one for any content.
            "ph" => self.placeholder = Some(tag.get("type").unwrap_or_else(|| "obj".into())),
            "p" => self.lines.push((Some(0), String::new())),
            "pPr" => self.lines.last_mut().into_iter().for_each(|line| line.0 = Some(tag.number("lvl").unwrap_or(0))),
            "buNone" => self.lines.last_mut().into_iter().for_each(|line| line.0 = None),
            "t" => self.in_text = true,
            "br" => self.add("\n"),
            "blip" => {
                let part = tag.get("embed").and_then(|relation| self.images.get(&relation));
                self.others.extend(part.cloned().map(Part::Picture));
            }
            "tbl" => self.tables.open_table(),
            "tblPr" if tag.get("firstRow").as_deref() == Some("1") => self.tables.has_head(),
            "tc" => self.tables.open_cell(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" => self.end_paragraph(),
            "sp" => self.end_shape(),
            "tc" => self.tables.close_cell(),
            "tr" => self.tables.close_row(),
            "tbl" => self.others.extend(self.tables.close_table().map(Part::Table)),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.add(text);
        }
    }
}
