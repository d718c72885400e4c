//! Every call of an episode and what came of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Episode;
use crate::action::Route;
use crate::handle::ImageHandle;
use crate::observation::{Observation, ToolUsage};

/// What stands in the trace for pages that were shown before the first step.
pub const INITIAL: &str = "initial_page_observations";

/// A call and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceRow {
    /// The tool, or [`INITIAL`].
    pub tool_name: String,
    /// As the planner wrote them.
    pub arguments: Map<String, Value>,
    /// What the planner was told.
    pub observation: Observation,
    /// Pictures that the call showed.
    pub artifacts: Vec<ImageHandle>,
    /// Pictures that the planner sees after it.
    pub visible_artifacts_after: Vec<ImageHandle>,
    /// Counts after it.
    pub usage_after: ToolUsage,
    /// By which route a search was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_route: Option<String>,
}

impl Episode {
    /// Adds a row to the trace. What it shows replaces what was visible.
    pub(super) fn record(
        &mut self,
        tool: &str,
        arguments: Map<String, Value>,
        observation: Observation,
        artifacts: Vec<ImageHandle>,
    ) {
        if !artifacts.is_empty() {
            self.visible.clone_from(&artifacts);
        }
        let searched = tool == self.protocol.tools.search().name();
        self.trace.push(TraceRow {
            tool_name: tool.into(),
            arguments,
            observation,
            artifacts,
            visible_artifacts_after: self.visible.clone(),
            usage_after: self.usage.clone(),
            search_route: searched.then(|| self.protocol.search_route.clone()),
        });
    }
}

/// What is counted on this route.
pub(super) const fn counters(route: Route) -> &'static [&'static str] {
    match route {
        Route::Visual => &[
            "visual_search_calls",
            "inspect_pages_calls",
            "inspected_page_images",
            "crop_pages_calls",
            "cropped_regions",
            "ocr_image_calls",
            "full_page_ocr_calls",
        ],
        Route::Text => &[
            "text_search_calls",
            "get_page_ocr_calls",
            "inspect_pages_calls",
            "inspected_page_images",
            "crop_pages_calls",
            "cropped_regions",
        ],
    }
}
