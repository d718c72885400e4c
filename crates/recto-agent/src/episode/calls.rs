//! From an action to a call: whether its pages are known to the episode, and may be seen.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Episode;
use crate::action::{Action, CropRequest, Tool};
use crate::crop::Crop;
use crate::handle::{ImageHandle, PageHandle};
use crate::observation::{FailedCrop, Observation};
use crate::toolbox::{Call, Outcome};

/// A call under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) tool: Tool,
    pub(super) arguments: Map<String, Value>,
    pub(super) call: Call,
    /// Of the parts that are asked for: place in the call and purpose of those that can be cut out.
    pub(super) wanted: Vec<(usize, String)>,
    /// Those that can't.
    pub(super) failed: Vec<FailedCrop>,
}

impl Episode {
    /// Begins a call, or says why it can't be made; either costs the step.
    pub(super) fn begin(&mut self, tool: Tool, arguments: Map<String, Value>) {
        let pending = Action::read(tool, &arguments).and_then(|action| self.pending(tool, action, &arguments));
        match pending {
            // Nothing is left to draw of a batch of which each item is wrong.
            Ok(pending) if pending.call == Call::Crop(Vec::new()) => {
                self.observe(pending, Outcome::Drawn(Vec::new()));
                self.step += 1;
            }
            Ok(pending) => self.pending = Some(pending),
            Err(error) => {
                let observation = Observation::Rejected { ok: false, error, usage: self.usage.clone() };
                self.record(tool.name(), arguments, observation, Vec::new());
                self.step += 1;
            }
        }
    }

    fn pending(&mut self, tool: Tool, action: Action, arguments: &Map<String, Value>) -> Result<Pending, String> {
        let (mut wanted, mut failed) = (Vec::new(), Vec::new());
        let call = match action {
            Action::Search { query, top_k } => Call::Search { query, top_k },
            Action::Inspect(pages) => Call::Inspect(self.pages_to_inspect(&pages)?),
            Action::Crop(items) => {
                let mut crops = Vec::new();
                for (index, item) in items.into_iter().enumerate() {
                    match item.and_then(|item| self.part_to_crop(index, item)) {
                        Ok((crop, purpose)) => {
                            crops.push(crop);
                            wanted.push((index, purpose));
                        }
                        Err(error) => failed.push(FailedCrop { index, status: "invalid_request".into(), error }),
                    }
                }
                Call::Crop(crops)
            }
            Action::Ocr(target) => self.picture_to_read(&target)?,
            Action::PageText(page) => Call::PageText(self.found(&page).ok_or_else(|| self.not_found(&page))?),
        };
        Ok(Pending { tool, arguments: arguments.clone(), call, wanted, failed })
    }

    fn pages_to_inspect(&self, pages: &[String]) -> Result<Vec<PageHandle>, String> {
        let known: Vec<Result<PageHandle, String>> =
            pages.iter().map(|page| self.found_or_seen(page).ok_or_else(|| self.not_found(page))).collect();
        let faults: Vec<&str> = known.iter().filter_map(|page| page.as_ref().err()).map(String::as_str).collect();
        if !faults.is_empty() {
            return Err(format!("inspect_pages shows all pages or none, and showed none: {}", faults.join("; ")));
        }
        Ok(known.into_iter().flatten().collect())
    }

    fn part_to_crop(&self, index: usize, item: CropRequest) -> Result<(Crop, String), String> {
        let page = item.page.parse().ok().filter(|page| self.inspected.contains(page));
        let why = || format!("crops[{index}]: {:?} was not shown yet; call inspect_pages for it first", item.page);
        Ok((Crop { page: page.ok_or_else(why)?, region: item.region }, item.purpose))
    }

    fn picture_to_read(&mut self, target: &str) -> Result<Call, String> {
        let unknown = || format!("{target:?} is no page or crop of this episode; give a handle that a tool returned");
        let (page, region) = match target.parse().map_err(|_| unknown())? {
            ImageHandle::Page(_) => (self.found_or_seen(target).ok_or_else(|| self.not_found(target))?, None),
            ImageHandle::Crop(crop) => {
                let crop = self.crops.get(&crop).ok_or_else(unknown)?;
                (crop.page, Some(crop.region))
            }
        };
        // A page counts as seen once reading it begins, whatever comes of it.
        self.seen.insert(page);
        let target = target.parse().map_err(|_| unknown())?;
        Ok(Call::Ocr { target, page, region })
    }

    fn found(&self, page: &str) -> Option<PageHandle> {
        page.parse().ok().filter(|page| self.discovered.contains(page))
    }

    fn found_or_seen(&self, page: &str) -> Option<PageHandle> {
        page.parse().ok().filter(|page| self.discovered.contains(page) || self.seen.contains(page))
    }

    fn not_found(&self, page: &str) -> String {
        let search = self.protocol.tools.search().name();
        if page.starts_with("crop_") {
            return format!("{page} is a crop; give the handle of a page");
        }
        format!("{page} was not returned by any {search} of this episode; use a handle from its results")
    }
}
