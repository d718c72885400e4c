//! What a planner can do: a closed list. Tools, their arguments as text and as a JSON schema all come from here. Whether an
//! action is allowed at this moment, the [episode](crate::episode) decides.

mod ablation;
mod arguments;
mod schema;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use ablation::Ablation;
pub use arguments::{Action, CropRequest};
pub use schema::schema;

/// The most pages that one search gives.
pub const MAX_TOP_K: u64 = 50;
/// How many pages a search gives that does not say.
pub const DEFAULT_TOP_K: u64 = 10;
/// The most pictures that one call shows.
pub const MAX_IMAGES: usize = 10;
/// The action that ends an episode.
pub const SUBMIT: &str = "submit_answer";

/// What an episode searches: pictures of pages, or their text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// `visual_search`, and text read off pictures on demand.
    Visual,
    /// `text_search`, and the text of whole pages.
    Text,
}

impl Route {
    /// The name used in files and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Visual => "visual",
            Self::Text => "text",
        }
    }
}

impl std::str::FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Visual, Self::Text]
            .into_iter()
            .find(|route| route.as_str() == text)
            .ok_or_else(|| "visual or text".into())
    }
}

/// An information tool: it costs a step and ends nothing. In the order in which prompts list them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Searches pictures of pages.
    VisualSearch,
    /// Searches the text of pages.
    TextSearch,
    /// Gives the text of a page.
    GetPageOcr,
    /// Shows pages.
    InspectPages,
    /// Shows parts of pages.
    CropPages,
    /// Reads the text off a picture.
    OcrImage,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 6] =
        [Self::VisualSearch, Self::TextSearch, Self::GetPageOcr, Self::InspectPages, Self::CropPages, Self::OcrImage];

    /// The name by which planners call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::VisualSearch => "visual_search",
            Self::TextSearch => "text_search",
            Self::GetPageOcr => "get_page_ocr",
            Self::InspectPages => "inspect_pages",
            Self::CropPages => "crop_pages",
            Self::OcrImage => "ocr_image",
        }
    }

    /// Its arguments, in order.
    pub const fn arguments(self) -> &'static [Argument] {
        match self {
            Self::VisualSearch | Self::TextSearch => {
                &[Argument { name: "query", shape: Shape::Text }, Argument { name: "top_k", shape: Shape::Count }]
            }
            Self::GetPageOcr => &[Argument { name: "page_handle", shape: Shape::Text }],
            Self::InspectPages => &[Argument { name: "page_handles", shape: Shape::Handles }],
            Self::CropPages => &[Argument { name: "crops", shape: Shape::Crops }],
            Self::OcrImage => &[Argument { name: "target_handle", shape: Shape::Text }],
        }
    }

    /// What it does, for prompts.
    const fn about(self, crops: bool) -> &'static str {
        match self {
            Self::VisualSearch => {
                "ranks page pictures for a search text; gives handles and scores, no pictures. top_k is 1 to 50, 10 if left out."
            }
            Self::TextSearch => {
                "ranks pages by their text for a search text; gives handles and scores, no text. top_k is 1 to 50, 10 if left out."
            }
            Self::GetPageOcr => "gives the whole text of one page that a search has found. It takes no crop.",
            Self::InspectPages => {
                "shows 1 to 10 whole pages that a search has found, as pictures in your next turn. If one handle is wrong, none is shown."
            }
            Self::CropPages => {
                "shows 1 to 10 enlarged parts of pages that you have inspected, for what is too small to read. crops is a list of \
                 {\"page_handle\": ..., \"region\": [x1, y1, x2, y2], \"purpose\": \"what to look for\"}; a region is in fractions of \
                 the page, (0, 0) its top left corner, (1, 1) its bottom right one. A wrong item does not stop the others."
            }
            Self::OcrImage if crops => "reads the text off one page that a search has found, or off one crop.",
            Self::OcrImage => "reads the text off one page that a search has found.",
        }
    }
}

/// An argument of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What is given for it.
    pub shape: Shape,
}

/// What is given for an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A text.
    Text,
    /// A number from 1 to [`MAX_TOP_K`].
    Count,
    /// 1 to [`MAX_IMAGES`] handles of pages.
    Handles,
    /// 1 to [`MAX_IMAGES`] parts of pages.
    Crops,
}

/// The information tools of an episode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToolSet {
    /// What is searched.
    pub route: Route,
    tools: BTreeSet<Tool>,
}

impl ToolSet {
    /// All tools of a route, less what the ablations take away.
    pub fn new(route: Route, ablations: &[Ablation]) -> Self {
        let of_route = match route {
            Route::Visual => [Tool::VisualSearch, Tool::InspectPages, Tool::CropPages, Tool::OcrImage],
            Route::Text => [Tool::TextSearch, Tool::GetPageOcr, Tool::InspectPages, Tool::CropPages],
        };
        let removed = |tool: &Tool| ablations.iter().any(|ablation| ablation.removes().contains(tool));
        Self { route, tools: of_route.into_iter().filter(|tool| !removed(tool)).collect() }
    }

    /// The tools.
    pub fn tools(&self) -> impl Iterator<Item = Tool> {
        self.tools.iter().copied()
    }

    /// True if planners may call it.
    pub fn has(&self, tool: Tool) -> bool {
        self.tools.contains(&tool)
    }

    /// The tool that a planner means.
    pub fn named(&self, name: &str) -> Option<Tool> {
        self.tools().find(|tool| tool.name() == name)
    }

    /// The tool that searches on this route.
    pub const fn search(&self) -> Tool {
        match self.route {
            Route::Visual => Tool::VisualSearch,
            Route::Text => Tool::TextSearch,
        }
    }

    /// The tool that gives a page's text on this route.
    pub const fn text(&self) -> Tool {
        match self.route {
            Route::Visual => Tool::OcrImage,
            Route::Text => Tool::GetPageOcr,
        }
    }

    /// True if a page can be looked at or read, so that it can be evidence.
    pub fn can_examine(&self) -> bool {
        self.has(Tool::InspectPages) || self.has(self.text())
    }

    /// One line a tool, for prompts.
    pub fn lines(&self) -> String {
        let line = |tool: Tool| {
            let arguments: Vec<&str> = tool.arguments().iter().map(|argument| argument.name).collect();
            format!("- {}({}): {}\n", tool.name(), arguments.join(", "), tool.about(self.has(Tool::CropPages)))
        };
        self.tools().map(line).collect()
    }

    /// The names, each put into `form` in place of `%`, with `between` between them.
    pub fn names(&self, form: &str, between: &str) -> String {
        self.tools().map(|tool| form.replace('%', tool.name())).collect::<Vec<_>>().join(between)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each ablation removes its own tools from the set, the prompt's list and the schema, and nothing else.
    #[test]
    fn each_ablation_removes_exactly_its_tools() {
        use Ablation::*;
        let check = |route, ablations: &[Ablation], left: &str| {
            let set = ToolSet::new(route, ablations);
            assert_eq!(set.names("%", " "), left, "{ablations:?}");
            let listed: Vec<String> =
                set.lines().lines().map(|line| line[2..].split('(').next().unwrap_or_default().to_owned()).collect();
            assert_eq!(listed.join(" "), left, "{ablations:?}");
            let schema = schema(&set);
            let actions = schema["properties"]["action"]["enum"].as_array().unwrap();
            let actions: Vec<&str> = actions.iter().filter_map(|name| name.as_str()).collect();
            assert_eq!(actions.join(" "), format!("{left} submit_answer").trim(), "{ablations:?}");
        };
        check(Route::Visual, &[], "visual_search inspect_pages crop_pages ocr_image");
        check(Route::Visual, &[NoCrop], "visual_search inspect_pages ocr_image");
        check(Route::Visual, &[NoTextAccess], "visual_search inspect_pages crop_pages");
        check(Route::Visual, &[NoPageInspection], "visual_search ocr_image");
        check(Route::Visual, &[SupportProvided], "visual_search inspect_pages crop_pages ocr_image");
        check(Route::Visual, &[NoIterativeSearch], "");
        check(Route::Text, &[], "text_search get_page_ocr inspect_pages crop_pages");
        check(Route::Text, &[NoCrop], "text_search get_page_ocr inspect_pages");
        check(Route::Text, &[NoTextAccess], "text_search inspect_pages crop_pages");
        check(Route::Text, &[NoPageInspection], "text_search get_page_ocr");
        check(Route::Text, &[SupportProvided], "text_search get_page_ocr inspect_pages crop_pages");
        check(Route::Text, &[NoIterativeSearch], "");
        check(Route::Text, &[NoCrop, NoTextAccess], "text_search inspect_pages");
    }
}
