//! The arguments of a call as a planner wrote them, to an action. Not whether its pages are known.

use serde_json::{Map, Value};

use super::{DEFAULT_TOP_K, MAX_IMAGES, MAX_TOP_K, Tool};
use crate::crop::{self, CropRegion};

/// A call of an information tool. Handles are as written.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// `visual_search` or `text_search`.
    Search {
        /// Never blank.
        query: String,
        /// 1 to [`MAX_TOP_K`].
        top_k: usize,
    },
    /// `inspect_pages`: 1 to [`MAX_IMAGES`] different texts.
    Inspect(Vec<String>),
    /// `crop_pages`: 1 to [`MAX_IMAGES`] items, each with its own fault.
    Crop(Vec<Result<CropRequest, String>>),
    /// `ocr_image`.
    Ocr(String),
    /// `get_page_ocr`.
    PageText(String),
}

/// An item of `crop_pages`.
#[derive(Clone, PartialEq, Debug)]
pub struct CropRequest {
    /// The page, as written.
    pub page: String,
    /// Which part; it can be cut out.
    pub region: CropRegion,
    /// What to look for; may be empty.
    pub purpose: String,
}

impl Action {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// With a sentence for the planner.
    pub fn read(tool: Tool, arguments: &Map<String, Value>) -> Result<Self, String> {
        match tool {
            Tool::VisualSearch | Tool::TextSearch => search(tool, arguments),
            Tool::InspectPages => inspect(arguments),
            Tool::CropPages => crops(arguments),
            Tool::OcrImage => {
                let target = text(arguments.get("target_handle"));
                if target.is_empty() {
                    return Err("ocr_image needs target_handle: one page or crop handle".into());
                }
                Ok(Self::Ocr(target))
            }
            Tool::GetPageOcr => page_text(arguments),
        }
    }
}

fn search(tool: Tool, arguments: &Map<String, Value>) -> Result<Action, String> {
    let name = tool.name();
    let query = text(arguments.get("query"));
    if query.is_empty() {
        return Err(format!("{name} needs query: the words to search for"));
    }
    let top_k = arguments.get("top_k").map_or(Some(DEFAULT_TOP_K as i64), whole_number);
    let top_k = top_k.ok_or_else(|| format!("{name}: top_k must be a whole number"))?;
    let in_range = u64::try_from(top_k).ok().filter(|k| (1..=MAX_TOP_K).contains(k));
    let top_k = in_range.ok_or_else(|| format!("{name}: top_k must be 1 to {MAX_TOP_K}, not {top_k}"))?;
    Ok(Action::Search { query, top_k: top_k as usize })
}

fn inspect(arguments: &Map<String, Value>) -> Result<Action, String> {
    let pages: Vec<String> = match arguments.get("page_handles") {
        Some(Value::Array(list)) => list.iter().map(|handle| text(Some(handle))).collect(),
        Some(Value::String(one)) => vec![one.trim().into()],
        _ => Vec::new(),
    };
    if pages.is_empty() {
        return Err("inspect_pages needs page_handles: a list of 1 to 10 page handles".into());
    }
    if pages.len() > MAX_IMAGES {
        return Err(format!(
            "inspect_pages shows at most {MAX_IMAGES} pages a call, not {}; ask for fewer",
            pages.len()
        ));
    }
    let twice = pages.iter().enumerate().find(|(at, page)| pages.iter().take(*at).any(|before| before == *page));
    match twice {
        Some((_, page)) => Err(format!("inspect_pages: {page} is listed twice; list each page once")),
        None => Ok(Action::Inspect(pages)),
    }
}

fn crops(arguments: &Map<String, Value>) -> Result<Action, String> {
    let items = match arguments.get("crops") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(one @ Value::Object(_)) => std::slice::from_ref(one),
        _ => &[],
    };
    if items.is_empty() {
        return Err("crop_pages needs crops: a list of 1 to 10 items with page_handle, region and purpose".into());
    }
    if items.len() > MAX_IMAGES {
        return Err(format!("crop_pages shows at most {MAX_IMAGES} parts a call, not {}; ask for fewer", items.len()));
    }
    let numbered = items.iter().enumerate();
    Ok(Action::Crop(numbered.map(|(at, item)| crop_item(item).map_err(|why| format!("crops[{at}]: {why}"))).collect()))
}

fn crop_item(item: &Value) -> Result<CropRequest, String> {
    let item = item.as_object().ok_or("an item is an object with page_handle, region and purpose")?;
    let numbers = item.get("region").and_then(Value::as_array).filter(|list| list.len() == 4);
    let numbers = numbers.ok_or("region must be a list of four numbers: [x1, y1, x2, y2]")?;
    let numbers: Option<Vec<f64>> = numbers.iter().map(number).collect();
    let region: Option<CropRegion> = numbers.and_then(|list| list.try_into().ok());
    let region = region.ok_or("region holds something that is no number")?;
    if let Some(why) = crop::fault(region) {
        return Err(format!("the region {region:?} can't be cut out: {why}"));
    }
    let purpose = item.get("purpose").and_then(Value::as_str).unwrap_or_default().trim().into();
    Ok(CropRequest { page: text(item.get("page_handle")), region, purpose })
}

fn page_text(arguments: &Map<String, Value>) -> Result<Action, String> {
    let other: Vec<&str> = arguments.keys().map(String::as_str).filter(|name| *name != "page_handle").collect();
    if !other.is_empty() {
        return Err(format!("get_page_ocr takes page_handle only; leave out {}", other.join(", ")));
    }
    match arguments.get("page_handle") {
        Some(Value::String(page)) if page.trim().starts_with("crop_") => {
            Err("get_page_ocr takes whole pages, no crops; give the handle of the page".into())
        }
        Some(Value::String(page)) if !page.trim().is_empty() => Ok(Action::PageText(page.trim().into())),
        _ => Err("get_page_ocr needs page_handle: the handle of one page, as a text".into()),
    }
}

/// A text; numbers and truth values as they are written.
fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.trim().into(),
        Some(other) => other.to_string(),
    }
}

/// A whole number as Python's `int` takes it: fractions are cut off, texts of digits are read.
fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|number| number.trunc() as i64)),
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(truth) => Some(i64::from(*truth)),
        _ => None,
    }
}

/// A number as Python's `float` takes it.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(tool: Tool, arguments: Value) -> Result<Action, String> {
        Action::read(tool, arguments.as_object().unwrap())
    }

    #[test]
    fn searches() {
        let check = |arguments: Value, right: Option<(&str, usize)>| {
            let right = right.map(|(query, top_k)| Action::Search { query: query.into(), top_k });
            assert_eq!(read(Tool::VisualSearch, arguments.clone()).ok(), right, "{arguments}");
        };
        check(json!({"query": " a b "}), Some(("a b", 10)));
        check(json!({"query": "a", "top_k": "50"}), Some(("a", 50)));
        check(json!({"query": "a", "top_k": 1.9}), Some(("a", 1)));
        check(json!({"query": "a", "top_k": true}), Some(("a", 1)));
        check(json!({"query": 2024}), Some(("2024", 10)));
        for top_k in [json!(0), json!(51), json!(-1), json!("ten"), json!("1.5"), json!(null), json!([1])] {
            check(json!({"query": "a", "top_k": top_k}), None);
        }
        for arguments in [json!({}), json!({"query": "  "}), json!({"query": null})] {
            check(arguments, None);
        }
    }

    #[test]
    fn pages_to_inspect() {
        let check = |pages: Value, right: Option<&[&str]>| {
            let right = right.map(|right| Action::Inspect(right.iter().map(|page| (*page).to_owned()).collect()));
            assert_eq!(read(Tool::InspectPages, json!({"page_handles": pages})).ok(), right, "{pages}");
        };
        check(json!([" page_000001 ", "x"]), Some(&["page_000001", "x"]));
        check(json!("page_000001"), Some(&["page_000001"]));
        check(json!([]), None);
        check(json!({"page": 1}), None);
        check(json!(["a", "a "]), None);
        check(json!((0..11).collect::<Vec<_>>()), None);
    }

    #[test]
    fn crops_have_their_own_faults() {
        let crops = json!({"crops": [
            {"page_handle": "p", "region": [0, "0.5", 1, 1.0], "purpose": " axis "},
            {"page_handle": "p", "region": [0, 0, 50, 50]},
            {"page_handle": "p", "region": [0, 0, 1]},
            7,
        ]});
        let Ok(Action::Crop(items)) = read(Tool::CropPages, crops) else { panic!() };
        let first = CropRequest { page: "p".into(), region: [0.0, 0.5, 1.0, 1.0], purpose: "axis".into() };
        assert_eq!(items[0], Ok(first));
        for (at, item) in items.iter().enumerate().skip(1) {
            assert!(item.as_ref().unwrap_err().starts_with(&format!("crops[{at}]: ")), "{item:?}");
        }
        assert!(read(Tool::CropPages, json!({"crops": "all"})).is_err());
        assert!(read(Tool::CropPages, json!({"crops": {"page_handle": "p", "region": [0, 0, 1, 1]}})).is_ok());
    }

    #[test]
    fn texts_of_pages() {
        assert!(read(Tool::GetPageOcr, json!({"page_handle": "page_000001"})).is_ok());
        for arguments in [
            json!({"page_handle": "page_000001", "region": [0, 0, 1, 1]}),
            json!({"page_handle": "crop_000001_000001"}),
            json!({"page_handle": ["page_000001"]}),
            json!({}),
        ] {
            assert!(read(Tool::GetPageOcr, arguments.clone()).is_err(), "{arguments}");
        }
        assert!(read(Tool::OcrImage, json!({"target_handle": " "})).is_err());
    }
}
