//! The link areas of a page. Addresses that are merely printed are text, not links.

use hayro::hayro_syntax::page::Page;
use recto_page::Link;

use super::annotations;
use super::destination::Destinations;

/// The links that lead to a page or an address, in file order.
pub(crate) fn links<'a>(page: &'a Page<'a>, destinations: &Destinations<'a>) -> Vec<Link> {
    annotations::visible(page)
        .filter(|annotation| annotation.subtype.as_ref() == b"Link")
        .filter_map(|link| Some(Link { region: link.region, target: destinations.target(&link.dict)? }))
        .collect()
}
