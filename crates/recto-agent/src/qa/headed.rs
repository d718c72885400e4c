//! Tables that go on over a page: the columns' heads stand on an earlier page and speak for what stands below.

use recto_page::{PageId, Region, Table};

use super::reading::Read;

/// For each page, which of its words stand below a head, on an earlier page, that holds which of the question's terms.
pub(crate) fn headed(pages: &[Read]) -> Vec<Vec<(usize, usize)>> {
    let mut heads: Vec<(usize, usize)> = Vec::new();
    let mut before: Option<&PageId> = None;
    let page = |read| {
        let read: &Read = read;
        let tables = &read.page.tables;
        let follows = before.replace(&read.id).is_some_and(|before| is_next(before, &read.id));
        let continued = tables.first().filter(|table| table.continued && follows);
        let found = continued.map_or_else(Vec::new, |table| below(read, table, &heads));
        if continued.is_none() || tables.len() > 1 {
            heads = tables.last().map_or_else(Vec::new, |table| heads_of(read, table));
        }
        found
    };
    pages.iter().map(page).collect()
}

fn is_next(before: &PageId, page: &PageId) -> bool {
    before.doc == page.doc && before.page.index() + 1 == page.page.index()
}

/// The columns whose heads hold terms, with these.
fn heads_of(read: &Read, table: &Table) -> Vec<(usize, usize)> {
    let heads = table.cells.iter().filter(|cell| cell.row < table.header_rows);
    let terms = |cell: &Region| {
        read.matches.iter().filter(|(word, _)| stands_in(read, *word, cell)).map(|(_, term)| *term).collect::<Vec<_>>()
    };
    heads
        .flat_map(|cell| {
            let columns = cell.column..cell.column + cell.column_span;
            let terms = terms(&cell.region);
            columns.flat_map(move |column| terms.clone().into_iter().map(move |term| (column, term)))
        })
        .collect()
}

fn below(read: &Read, table: &Table, heads: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for cell in &table.cells {
        let words = (0..read.page.text_layer.words.len()).filter(|word| stands_in(read, *word, &cell.region));
        for word in words {
            found.extend(heads.iter().filter(|(column, _)| *column == cell.column).map(|(_, term)| (word, *term)));
        }
    }
    found
}

fn stands_in(read: &Read, word: usize, cell: &Region) -> bool {
    read.page.text_layer.words.get(word).is_some_and(|word| {
        let (x, y) = word.region.center();
        (cell.left()..=cell.right()).contains(&x) && (cell.top()..=cell.bottom()).contains(&y)
    })
}
