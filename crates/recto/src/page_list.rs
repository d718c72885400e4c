//! A list of pages as people type it: `1-5,10`, `7-`.

use recto_page::PageNumber;

use crate::exit::usage;

/// Ranges of page numbers; both ends belong to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PageList(Vec<(u32, u32)>);

impl PageList {
    /// Reads a list that was given for `field`.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) naming the field and what is expected.
    pub(crate) fn parse(field: &str, text: &str) -> anyhow::Result<Self> {
        let ranges: Option<Vec<_>> = text.split(',').map(|part| range(part.trim())).collect();
        ranges.map(Self).ok_or_else(|| {
            usage(format!("{field} = {text:?}: expected pages such as 3, 1-5 or 7-, parted by commas, counted from 1"))
        })
    }

    pub(crate) fn contains(&self, page: PageNumber) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&page.get()))
    }
}

fn range(part: &str) -> Option<(u32, u32)> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
    let (first, last) = match part.split_once('-') {
        None => (number(part)?, number(part)?),
        Some((first, "")) => (number(first)?, u32::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_pages_and_nonsense_names_the_field() {
        let list = PageList::parse("--pages", "1-3, 7,10-").unwrap();
        let inside: Vec<u32> = (1..12).filter(|n| list.contains(PageNumber::new(*n).unwrap())).collect();
        assert_eq!(inside, [1, 2, 3, 7, 10, 11]);
        for text in ["", "0", "5-3", "-5", "1,,2", "a", "1-2-3", "99999999999", "-"] {
            let error = PageList::parse("--pages", text).unwrap_err().to_string();
            assert!(error.contains("--pages"), "{error}");
        }
    }
}
