//! Small files that ask for too much: memory, time, or an end that never comes.

use crate::file::RawFile;
use crate::image::entries;
use crate::object::{Object, deflate};
use crate::page::Page;
use crate::pdf::Pdf;

/// One page whose content stream grows to `bytes` bytes of white space, packed `levels` times.
pub fn flate(bytes: usize, levels: usize) -> Vec<u8> {
    let data = (0..levels).fold(vec![b' '; bytes], |data, _| deflate(&data));
    let filters = "/FlateDecode ".repeat(levels);
    one_page(RawFile::new(), "", Object::stream(&format!("/Filter [{filters}]"), data))
}

/// One page with a white picture of `side` by `side` pixels of one bit. 30,000 take 112 MB to draw and a few kB to store.
pub fn huge_image(side: u32) -> Vec<u8> {
    let row = (side as usize).div_ceil(8);
    let data = vec![0xff; row * side as usize];
    Pdf::new().page(Page::new().image(Object::flate(&entries(side, side, 1), &data), 0.0, 0.0, 595.0, 842.0)).to_bytes()
}

/// One page of `side` by `side` points with one word in its middle.
pub fn huge_page(side: f32, word: &str) -> Vec<u8> {
    Pdf::new().page(Page::new().size(side, side).text_at(side / 2.0, side / 2.0, side / 20.0, word)).to_bytes()
}

/// One page with a form that draws itself.
pub fn form_cycle() -> Vec<u8> {
    let mut file = RawFile::new();
    let form = file.reserve();
    file.set(form, form_object(&format!("/Fm {form} 0 R"), "/Fm Do /Fm Do"));
    one_page(file, &format!("/Fm {form} 0 R"), Object::stream("", "/Fm Do"))
}

/// One page with forms that each draw the next one ten times, `depth` deep: 10 to the power of `depth` drawings.
pub fn form_laughs(depth: usize) -> Vec<u8> {
    let mut file = RawFile::new();
    let mut form = file.add(form_object("", "0 0 1 1 re f"));
    for _ in 0..depth {
        form = file.add(form_object(&format!("/Fm {form} 0 R"), &"/Fm Do ".repeat(10)));
    }
    one_page(file, &format!("/Fm {form} 0 R"), Object::stream("", "/Fm Do"))
}

/// A page tree whose inner node is its own child, beside one good page.
pub fn page_tree_cycle() -> Vec<u8> {
    let mut file = RawFile::new();
    let tree = file.reserve();
    let inner = file.reserve();
    let page = file.add(Object::new(format!("<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 200 200] >>")));
    file.set(tree, Object::new(format!("<< /Type /Pages /Kids [{page} 0 R {inner} 0 R] /Count 2 >>")));
    file.set(
        inner,
        Object::new(format!("<< /Type /Pages /Parent {tree} 0 R /Kids [{inner} 0 R {tree} 0 R] /Count 2 >>")),
    );
    let catalog = file.add(Object::new(format!("<< /Type /Catalog /Pages {tree} 0 R >>")));
    file.to_bytes(catalog)
}

/// `count` pages, each with its number.
pub fn many_pages(count: usize) -> Vec<u8> {
    Pdf::new().pages((1..=count).map(|n| Page::new().text_at(72.0, 700.0, 12.0, &format!("Page {n}")))).to_bytes()
}

fn form_object(xobjects: &str, content: &str) -> Object {
    let resources = format!("/Resources << /XObject << {xobjects} >> >>");
    Object::stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 200 200] {resources}"), content)
}

fn one_page(mut file: RawFile, xobjects: &str, content: Object) -> Vec<u8> {
    let content = file.add(content);
    let tree = file.reserve();
    let page = file.add(Object::new(format!(
        "<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 200 200] /Contents {content} 0 R \
         /Resources << /XObject << {xobjects} >> >> >>"
    )));
    file.set(tree, Object::new(format!("<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>")));
    let catalog = file.add(Object::new(format!("<< /Type /Catalog /Pages {tree} 0 R >>")));
    file.to_bytes(catalog)
}
