//! From what came of a call to what the planner is told, and what the episode knows from then on.

use super::Episode;
use super::calls::Pending;
use crate::crop::Crop;
use crate::handle::{CropHandle, ImageHandle, PageHandle};
use crate::observation::{CropRow, FailedCrop, LoadedPage, Observation};
use crate::toolbox::{Call, Hit, Outcome, ReadText, Size, ToolError};

impl Episode {
    /// Records what came of a call.
    pub(super) fn observe(&mut self, pending: Pending, outcome: Outcome) {
        let Pending { tool, arguments, call, wanted, failed } = pending;
        let (observation, artifacts) = match (call, outcome) {
            (Call::Search { .. }, Outcome::Found(found)) => {
                (self.searched(&format!("{}_calls", tool.name()), found), Vec::new())
            }
            (Call::Inspect(pages), Outcome::Drawn(sizes)) => self.inspected(pages, sizes),
            (Call::Crop(crops), Outcome::Drawn(sizes)) => self.cropped(crops, wanted, failed, sizes),
            (Call::Ocr { target, region, .. }, Outcome::Read(read)) => {
                (self.read(target, region.is_none(), read), Vec::new())
            }
            (Call::PageText(page), Outcome::Text(text)) => (self.page_text(page, text), Vec::new()),
            _ => (
                self.rejected("a fault of the program: the tool gave something else than it was asked for"),
                Vec::new(),
            ),
        };
        self.record(tool.name(), arguments, observation, artifacts);
    }

    fn rejected(&self, error: impl Into<String>) -> Observation {
        Observation::Rejected { ok: false, error: error.into(), usage: self.usage.clone() }
    }

    fn searched(&mut self, counter: &str, found: Result<Vec<Hit>, ToolError>) -> Observation {
        self.usage.add(counter, 1);
        match found {
            Ok(mut results) => {
                results.retain(|hit| self.exists(hit.page_handle));
                self.discovered.extend(results.iter().map(|hit| hit.page_handle));
                Observation::Found { ok: true, results, usage: self.usage.clone() }
            }
            Err(error) => self.rejected(error.why),
        }
    }

    fn inspected(
        &mut self,
        pages: Vec<PageHandle>,
        sizes: Vec<Result<Size, ToolError>>,
    ) -> (Observation, Vec<ImageHandle>) {
        let faults: Vec<String> = pages
            .iter()
            .zip(&sizes)
            .filter_map(|(page, size)| size.as_ref().err().map(|error| format!("{page}: {error}")))
            .collect();
        if !faults.is_empty() || sizes.len() != pages.len() {
            let why = format!("inspect_pages shows all pages or none, and showed none: {}", faults.join("; "));
            return (self.rejected(why), Vec::new());
        }
        let loaded: Vec<LoadedPage> =
            pages.iter().zip(sizes.into_iter().flatten()).map(|(page, size)| LoadedPage::new(*page, size)).collect();
        self.inspected.extend(&pages);
        self.seen.extend(&pages);
        self.usage.add("inspect_pages_calls", 1);
        self.usage.add("inspected_page_images", loaded.len());
        let artifacts = pages.iter().copied().map(ImageHandle::Page).collect();
        let observation = Observation::Inspected {
            ok: true,
            requested_page_handles: pages,
            loaded_pages: loaded,
            failed_pages: Vec::new(),
            usage: self.usage.clone(),
        };
        (observation, artifacts)
    }

    fn cropped(
        &mut self,
        crops: Vec<Crop>,
        wanted: Vec<(usize, String)>,
        mut failed: Vec<FailedCrop>,
        sizes: Vec<Result<Size, ToolError>>,
    ) -> (Observation, Vec<ImageHandle>) {
        let mut rows = Vec::new();
        for ((crop, (index, purpose)), size) in crops.into_iter().zip(wanted).zip(sizes) {
            match size {
                Ok(size) => rows.push(self.crop_row(crop, index, purpose, size)),
                Err(error) => {
                    let error = format!("crops[{index}]: {error}");
                    failed.push(FailedCrop { index, status: "execution_error".into(), error });
                }
            }
        }
        failed.sort_by_key(|failed| failed.index);
        self.usage.add("crop_pages_calls", 1);
        self.usage.add("cropped_regions", rows.len());
        let artifacts = rows.iter().map(|row| ImageHandle::Crop(row.crop_handle)).collect();
        let ok = !rows.is_empty();
        (Observation::Cropped { ok, crops: rows, failed_crops: failed, usage: self.usage.clone() }, artifacts)
    }

    fn crop_row(&mut self, crop: Crop, index: usize, purpose: String, (crop_width, crop_height): Size) -> CropRow {
        let number = u32::try_from(self.crops.len()).unwrap_or(u32::MAX).saturating_add(1);
        let crop_handle = CropHandle { page: crop.page, number };
        self.crops.insert(crop_handle, crop);
        self.seen.insert(crop.page);
        let [left, top, right, bottom] = crop.region;
        CropRow {
            index,
            status: "success".into(),
            crop_handle,
            source_page_handle: crop.page,
            region: crop.region,
            purpose_missing: purpose.is_empty(),
            purpose,
            area_fraction: (right - left) * (bottom - top),
            crop_width,
            crop_height,
        }
    }

    fn read(&mut self, target_handle: ImageHandle, whole: bool, read: Result<ReadText, ToolError>) -> Observation {
        self.usage.add("ocr_image_calls", 1);
        self.usage.add("full_page_ocr_calls", usize::from(whole));
        let usage = self.usage.clone();
        match read {
            Ok(ReadText { text, blocks, engine }) => {
                Observation::Read { ok: true, target_handle, ocr_text: text, blocks, engine, usage }
            }
            Err(error) => Observation::Unread { ok: false, target_handle, error: error.why, usage },
        }
    }

    fn page_text(&mut self, page_handle: PageHandle, text: Result<String, ToolError>) -> Observation {
        self.usage.add("get_page_ocr_calls", 1);
        let usage = self.usage.clone();
        match text {
            Ok(ocr_text) => {
                self.seen.insert(page_handle);
                Observation::PageText { ok: true, page_handle, ocr_text, usage }
            }
            Err(error) => Observation::NoPageText { ok: false, page_handle, error: error.why, usage },
        }
    }
}
