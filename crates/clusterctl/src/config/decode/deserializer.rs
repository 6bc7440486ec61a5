//! serde's view of a tree.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::config::decode::error::DecodeError;
use crate::config::yaml::{Key, Node, Value};

/// Reads typed values from a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeDeserializer<'n> {
    node: &'n Node,
}

impl<'n> NodeDeserializer<'n> {
    pub(crate) fn new(node: &'n Node) -> NodeDeserializer<'n> {
        NodeDeserializer { node }
    }

    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let result = match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value) => match u64::try_from(*value) {
                Ok(value) => visitor.visit_u64(value),
                Err(_) => visitor.visit_i64(*value),
            },
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_str(text),
            Value::Sequence(items) => visitor.visit_seq(Items(items.iter())),
            Value::Mapping(entries) => {
                visitor.visit_map(Entries { entries: entries.iter(), value: None })
            }
        };
        result.map_err(|error: DecodeError| error.or_at(&self.node.place))
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.visit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let place = &self.node.place;
        visitor.visit_newtype_struct(self).map_err(|error: DecodeError| error.or_at(place))
    }

    /// A struct is a mapping, never nothing and never a list: a section that is emptied by mistake
    /// would silently fall back to its defaults.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.node.value {
            Value::Mapping(_) => self.visit(visitor),
            _ => {
                let message = format!("expected a mapping, found {}", self.node.kind());
                Err(DecodeError::at(&self.node.place, message))
            }
        }
    }

    /// A word, or a mapping with exactly one key.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let place = &self.node.place;
        let result = match &self.node.value {
            Value::Text(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            Value::Mapping(entries) => match entries.as_slice() {
                [(key, value)] => visitor.visit_enum(Variant { key, value }),
                _ => Err(DecodeError::custom(format!(
                    "expected exactly one field, found {}",
                    entries.len()
                ))),
            },
            _ => Err(DecodeError::invalid_type(Unexpected::Other(self.node.kind()), &"a word")),
        };
        result.map_err(|error: DecodeError| error.or_at(place))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'n>(std::slice::Iter<'n, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let Some(node) = self.0.next() else { return Ok(None) };
        let element = seed.deserialize(NodeDeserializer::new(node));
        element.map(Some).map_err(|error| error.or_at(&node.place))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Entries<'n> {
    entries: std::slice::Iter<'n, (Key, Node)>,
    value: Option<&'n Node>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        let name = seed.deserialize(key.text.as_str().into_deserializer());
        name.map(Some).map_err(|error: DecodeError| error.or_at(&key.place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, DecodeError> {
        // serde asks for a value only after its key.
        let Some(node) = self.value.take() else {
            return Err(DecodeError::custom("a value without a key"));
        };
        seed.deserialize(NodeDeserializer::new(node)).map_err(|error| error.or_at(&node.place))
    }
}

struct Variant<'n> {
    key: &'n Key,
    value: &'n Node,
}

impl<'de, 'n> EnumAccess<'de> for Variant<'n> {
    type Error = DecodeError;
    type Variant = NodeDeserializer<'n>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, NodeDeserializer<'n>), DecodeError> {
        let name = seed
            .deserialize(self.key.text.as_str().into_deserializer())
            .map_err(|error: DecodeError| error.or_at(&self.key.place))?;
        Ok((name, NodeDeserializer::new(self.value)))
    }
}

impl<'de> VariantAccess<'de> for NodeDeserializer<'_> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Err(DecodeError::at(&self.node.place, "nothing stands below this word"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, DecodeError> {
        let place = &self.node.place;
        seed.deserialize(self).map_err(|error| error.or_at(place))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.visit(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.visit(visitor)
    }
}
