//! Tables that are packed with Zstandard, which the reader of tables knows in C only. It is told that nothing is packed,
//! and its pages are unpacked on their way.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::{SerializedFileReader, SerializedPageReader};
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;
use ruzstd::decoding::StreamingDecoder;

/// A file whose columns may be packed with anything that is read without C.
pub(super) struct Table {
    whole: SerializedFileReader<File>,
    file: Arc<File>,
}

impl Table {
    pub(super) fn open(file: File) -> Result<Self> {
        let whole = SerializedFileReader::new(file.try_clone()?)?;
        Ok(Self { whole, file: Arc::new(file) })
    }
}

impl FileReader for Table {
    fn metadata(&self) -> &ParquetMetaData {
        self.whole.metadata()
    }

    fn num_row_groups(&self) -> usize {
        self.whole.num_row_groups()
    }

    fn get_row_group(&self, i: usize) -> Result<Box<dyn RowGroupReader + '_>> {
        Ok(Box::new(Group { whole: self.whole.get_row_group(i)?, file: Arc::clone(&self.file) }))
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_file(projection, self)
    }
}

struct Group<'a> {
    whole: Box<dyn RowGroupReader + 'a>,
    file: Arc<File>,
}

impl RowGroupReader for Group<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.whole.metadata()
    }

    fn num_columns(&self) -> usize {
        self.whole.num_columns()
    }

    fn get_column_page_reader(&self, i: usize) -> Result<Box<dyn PageReader>> {
        let column = self.metadata().column(i);
        if !matches!(column.compression(), Compression::ZSTD(_)) {
            return self.whole.get_column_page_reader(i);
        }
        let limit = u64::try_from(column.uncompressed_size()).unwrap_or_default();
        let unpacked = column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
        let rows = usize::try_from(self.metadata().num_rows()).unwrap_or_default();
        let pages = SerializedPageReader::new(Arc::clone(&self.file), &unpacked, rows, None)?;
        Ok(Box::new(Unpacking { pages, limit }))
    }

    fn get_column_bloom_filter(&self, i: usize) -> Option<&Sbbf> {
        self.whole.get_column_bloom_filter(i)
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(projection, self)
    }
}

/// Packed pages in, unpacked ones out.
struct Unpacking {
    pages: SerializedPageReader<File>,
    /// So many bytes the whole column has: no page has more.
    limit: u64,
}

impl PageReader for Unpacking {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let packed = self.pages.get_next_page()?;
        packed.map(|page| self.unpacked(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.pages.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        let packed = self.pages.take_deferred_dictionary()?;
        packed.map(|page| self.unpacked(page)).transpose()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for Unpacking {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl Unpacking {
    fn unpacked(&self, mut page: Page) -> Result<Page> {
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => *buf = self.bytes(buf, 0)?.into(),
            Page::DataPageV2 { is_compressed: false, .. } => {}
            // Levels stand before the values, and are never packed.
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let levels = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                *buf = self.bytes(buf, usize::try_from(levels).unwrap_or(usize::MAX))?.into();
            }
        }
        Ok(page)
    }

    /// The first bytes as they are, the others unpacked; a page of levels alone has no others.
    fn bytes(&self, packed: &[u8], levels: usize) -> Result<Vec<u8>> {
        let damaged = |why: &dyn std::fmt::Display| ParquetError::General(format!("a page does not unpack: {why}"));
        let (levels, packed) = packed.split_at_checked(levels).ok_or_else(|| damaged(&"it is too short"))?;
        let mut bytes = levels.to_vec();
        if !packed.is_empty() {
            let frame = StreamingDecoder::new(packed).map_err(|why| damaged(&why))?;
            frame.take(self.limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|why| damaged(&why))?;
        }
        if bytes.len() as u64 > self.limit {
            return Err(damaged(&"it holds more than its column"));
        }
        Ok(bytes)
    }
}
