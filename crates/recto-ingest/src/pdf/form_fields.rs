//! Values of form fields, read from the form's own data: whether they are drawn or not. Signatures are pictures only.

use hayro::hayro_syntax::object::dict::keys::{AS, FF, FT, OPT, PARENT, T, TU, V};
use hayro::hayro_syntax::object::{Array, Dict, Name, Object};
use hayro::hayro_syntax::xref::XRef;
use recto_page::{BlockKind, Region};

use super::{text_string, tree};
use crate::added_text::AddedText;

/// Fields are nested no deeper than this.
const MAX_DEPTH: usize = 32;

/// Options of a choice, and chosen values, beyond this number are not looked at.
const MAX_OPTIONS: usize = 10_000;

/// Flag bits of fields.
const PASSWORD: u32 = 1 << 13;
const PUSH_BUTTON: u32 = 1 << 16;

/// The text `name: value` of a filled field's widget; `None` if it is empty, not ticked, a button or a signature.
pub(crate) fn text<'a>(widget: &Dict<'a>, region: Region, xref: &'a XRef) -> Option<AddedText> {
    let field = Field { chain: chain(widget), xref };
    let (value, shown) = field.value()?;
    let text = field.name().map_or_else(|| value.clone(), |name| format!("{name}: {value}"));
    Some(AddedText { kind: BlockKind::FormField, region, text, shown: shown.then_some(value) })
}

/// A widget and the fields it belongs to, innermost first: attributes are inherited.
struct Field<'a> {
    chain: Vec<Dict<'a>>,
    xref: &'a XRef,
}

fn chain<'a>(widget: &Dict<'a>) -> Vec<Dict<'a>> {
    let upwards = std::iter::successors(Some(widget.clone()), |field| field.get::<Dict<'_>>(PARENT));
    upwards.take(MAX_DEPTH).collect()
}

impl<'a> Field<'a> {
    fn get(&self, key: &[u8]) -> Option<Object<'a>> {
        self.chain.iter().find_map(|field| field.get::<Object<'_>>(key))
    }

    /// The name meant for people, else the innermost one meant for programs.
    fn name(&self) -> Option<String> {
        let name = self.get(TU).and_then(string).or_else(|| self.get(T).and_then(string))?;
        Some(name.trim_end_matches(':').trim_end().to_owned()).filter(|name| !name.is_empty())
    }

    /// The value, and whether the widget shows it as text.
    fn value(&self) -> Option<(String, bool)> {
        let kind = self.get(FT)?.into_name()?;
        let flags = self.get(FF).and_then(Object::into_i32).unwrap_or(0) as u32;
        match kind.as_ref() {
            b"Tx" if flags & PASSWORD == 0 => Some((string(self.get(V)?)?, true)),
            b"Ch" => Some((self.chosen()?, true)),
            b"Btn" if flags & PUSH_BUTTON == 0 => Some((self.state()?, false)),
            _ => None,
        }
    }

    /// The state of a ticked box; its value names the state of all boxes that share the field.
    fn state(&self) -> Option<String> {
        let state = self.chain.first()?.get::<Name<'_>>(AS)?;
        (state.as_ref() != b"Off").then(|| text_string::decode(&state))
    }

    fn chosen(&self) -> Option<String> {
        let values: Vec<String> = match self.get(V)? {
            Object::Array(list) => {
                tree::items(&list, self.xref).take(MAX_OPTIONS).flatten().filter_map(string).collect()
            }
            value => string(value).into_iter().collect(),
        };
        let options = self.options();
        let shown = |value: &String| options.iter().find(|(export, _)| export == value).map(|(_, shown)| shown.clone());
        let values: Vec<String> = values.iter().map(|value| shown(value).unwrap_or_else(|| value.clone())).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Pairs of the value stored and the text shown, for options that have both.
    fn options(&self) -> Vec<(String, String)> {
        let Some(Object::Array(list)) = self.get(OPT) else { return Vec::new() };
        let pair = |option: Array<'a>| {
            let mut both = tree::items(&option, self.xref).flatten().filter_map(string);
            Some((both.next()?, both.next()?))
        };
        let options = tree::items(&list, self.xref).take(MAX_OPTIONS).flatten();
        options.filter_map(|option| pair(option.into_array()?)).collect()
    }
}

/// The text of a string, name or stream; `None` if it is empty.
fn string(value: Object<'_>) -> Option<String> {
    let text = match value {
        Object::String(text) => text_string::decode(&text),
        Object::Name(name) => text_string::decode(&name),
        Object::Stream(text) => text_string::decode(&text.decoded_data().ok()?),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}
