//! Which routes of vectors an index has, by which encoder, and in which files their vectors are. What the vectors are, the
//! files say; what an encoder's name means, the program knows.

use rusqlite::{Connection, params};

use super::{Catalog, CatalogWriter, Version};
use crate::{ContentHash, Page, PageNumber, Result};

/// A route of vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredRoute {
    /// Its name.
    pub name: String,
    /// What the user calls its encoder.
    pub encoder: String,
    /// Whether every page of the index is in its files. If not, an update is to fill it.
    pub complete: bool,
    /// Its files, by name.
    pub segments: Vec<StoredSegment>,
}

/// A file of vectors in the folder of its route.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StoredSegment {
    /// The file's name.
    pub name: String,
    /// The hash that the file says it has, in hexadecimal.
    pub hash: String,
    /// Number of pages in it.
    pub pages: u64,
}

/// Every route by name.
pub(super) fn routes(connection: &Connection) -> Result<Vec<StoredRoute>> {
    // A catalog that was made before there were routes, and not written since, lacks the tables.
    let there: u32 =
        connection.query_row("SELECT COUNT(*) FROM sqlite_master WHERE name = 'segments'", [], |row| row.get(0))?;
    if there == 0 {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare_cached("SELECT route, encoder, complete FROM routes ORDER BY route")?;
    let rows = statement.query_map([], |row| {
        Ok(StoredRoute { name: row.get(0)?, encoder: row.get(1)?, complete: row.get(2)?, segments: Vec::new() })
    })?;
    let mut routes = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    for route in &mut routes {
        route.segments = segments(connection, &route.name)?;
    }
    Ok(routes)
}

fn segments(connection: &Connection, route: &str) -> Result<Vec<StoredSegment>> {
    let mut statement =
        connection.prepare_cached("SELECT name, hash, pages FROM segments WHERE route = ?1 ORDER BY name")?;
    let rows = statement
        .query_map([route], |row| Ok(StoredSegment { name: row.get(0)?, hash: row.get(1)?, pages: row.get(2)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn page_keys(connection: &Connection, sql: &str) -> Result<Vec<(Version, PageNumber)>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, u32>(1)?)))?;
    let keys = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(keys.into_iter().filter_map(|(version, number)| Some((version, PageNumber::new(number)?))).collect())
}

impl Catalog {
    /// The routes of vectors, by name.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn routes(&self) -> Result<Vec<StoredRoute>> {
        routes(&self.connection)
    }

    /// Every page of the documents that can be searched, in order.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn page_keys(&self) -> Result<Vec<(Version, PageNumber)>> {
        page_keys(
            &self.connection,
            "SELECT version, number FROM pages JOIN documents USING (version) WHERE doc_id IS NOT NULL ORDER BY 1, 2",
        )
    }
}

impl CatalogWriter {
    /// The routes of vectors, by name.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn routes(&self) -> Result<Vec<StoredRoute>> {
        routes(&self.connection)
    }

    /// Adds a route, or changes its encoder's name and whether it is complete; its files stay.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn set_route(&self, name: &str, encoder: &str, complete: bool) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO routes VALUES (?1, ?2, ?3)
                 ON CONFLICT (route) DO UPDATE SET encoder = excluded.encoder, complete = excluded.complete",
            )?
            .execute(params![name, encoder, complete])?;
        Ok(())
    }

    /// Removes a route with its files' names.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn drop_route(&self, name: &str) -> Result<()> {
        self.connection.execute("DELETE FROM routes WHERE route = ?1", [name])?;
        Ok(())
    }

    /// Names a file of a route.
    ///
    /// # Errors
    /// When the catalog can't be written, or has no such route.
    pub fn add_segment(&self, route: &str, segment: &StoredSegment) -> Result<()> {
        self.connection.prepare_cached("INSERT OR REPLACE INTO segments VALUES (?1, ?2, ?3, ?4)")?.execute(params![
            route,
            segment.name,
            segment.hash,
            segment.pages
        ])?;
        Ok(())
    }

    /// Names a file of a route no longer.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn remove_segment(&self, route: &str, name: &str) -> Result<()> {
        self.connection.execute("DELETE FROM segments WHERE route = ?1 AND name = ?2", [route, name])?;
        Ok(())
    }

    /// Every page that the catalog holds, also of documents that are still being read, in order.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn page_keys(&self) -> Result<Vec<(Version, PageNumber)>> {
        page_keys(&self.connection, "SELECT version, number FROM pages ORDER BY 1, 2")
    }

    /// A page of a document version, and the content that it is of.
    ///
    /// # Errors
    /// When the catalog can't be read or has no such page.
    pub fn page_of(&self, version: Version, number: PageNumber) -> Result<(Page, Option<ContentHash>)> {
        let mut statement = self.connection.prepare_cached(
            "SELECT record, hash FROM pages JOIN documents USING (version) WHERE version = ?1 AND number = ?2",
        )?;
        let (record, hash): (Vec<u8>, Option<String>) =
            statement.query_row(params![version, number.get()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok((super::record::decode(&record)?, hash.map(ContentHash::from_hex)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Origin;
    use crate::{IndexDir, PageSize};

    #[test]
    fn routes_and_their_files_are_seen_with_the_commit() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let writer = CatalogWriter::open(&dir).unwrap();
        writer.commit(1).unwrap();
        let segment = |name: &str| StoredSegment { name: name.into(), hash: "ab".into(), pages: 3 };
        writer.set_route("late", "minilm", false).unwrap();
        writer.set_route("dense", "potion", false).unwrap();
        writer.add_segment("dense", &segment("b.seg")).unwrap();
        writer.add_segment("dense", &segment("a.seg")).unwrap();
        writer.set_route("dense", "potion", true).unwrap();
        assert!(writer.add_segment("page", &segment("c.seg")).is_err());
        assert_eq!(Catalog::open(&dir).unwrap().routes().unwrap(), []);
        writer.commit(2).unwrap();
        let route = |name: &str, encoder: &str, complete, segments| StoredRoute {
            name: name.into(),
            encoder: encoder.into(),
            complete,
            segments,
        };
        let dense = route("dense", "potion", true, vec![segment("a.seg"), segment("b.seg")]);
        let routes = Catalog::open(&dir).unwrap().routes().unwrap();
        assert_eq!(routes, [dense, route("late", "minilm", false, vec![])]);
        writer.remove_segment("dense", "a.seg").unwrap();
        writer.drop_route("late").unwrap();
        assert_eq!(writer.routes().unwrap(), [route("dense", "potion", true, vec![segment("b.seg")])]);
        writer.drop_route("dense").unwrap();
        writer.set_route("dense", "minilm", true).unwrap();
        assert_eq!(writer.routes().unwrap(), [route("dense", "minilm", true, vec![])]);
    }

    #[test]
    fn an_index_of_a_program_that_knew_no_routes_has_none() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        CatalogWriter::open(&dir).unwrap().commit(1).unwrap();
        let connection = Connection::open(dir.catalog()).unwrap();
        connection.execute_batch("DROP TABLE segments; DROP TABLE routes").unwrap();
        assert_eq!(Catalog::open(&dir).unwrap().routes().unwrap(), []);
        assert_eq!(CatalogWriter::open(&dir).unwrap().routes().unwrap(), []);
    }

    #[test]
    fn pages_are_listed_with_their_content() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let writer = CatalogWriter::open(&dir).unwrap();
        let hash = ContentHash::of(b"content");
        let origin = Origin { path: None, stamp: None, hash: Some(&hash), fingerprint: "1" };
        let version = writer.begin(&origin).unwrap();
        let page = Page::empty(PageNumber::FIRST, PageSize { width: 1.0, height: 1.0 });
        writer.add_page(version, &page).unwrap();
        assert_eq!(writer.page_keys().unwrap(), [(version, PageNumber::FIRST)]);
        assert_eq!(writer.page_of(version, PageNumber::FIRST).unwrap(), (page, Some(hash)));
        assert!(writer.page_of(version + 1, PageNumber::FIRST).is_err());
        // A document that is not finished can't be searched.
        writer.commit(1).unwrap();
        assert_eq!(Catalog::open(&dir).unwrap().page_keys().unwrap(), []);
    }
}
