//! Collections and their members.

use serde_json::Value;

use super::Bmc;
use super::exchange::Run;
use crate::answer::Answer;
use crate::plan::expand;
use crate::property::{items, link, linked};
use crate::{Delivery, Error, ErrorKind, ResourcePath, Transport};

/// Pages of a collection that are read.
const MOST_PAGES: usize = 64;

/// The members of a collection.
#[derive(Debug, Default)]
pub(super) struct Collection {
    /// Each with its content, or with its `@odata.id` alone where it could not be read.
    pub(super) members: Vec<Value>,
    /// Whether these are all.
    pub(super) is_complete: bool,
}

impl<T: Transport> Bmc<T> {
    /// The members of a collection with the properties that are needed, at most so many.
    ///
    /// They come with the collection where they are in it already (log entries) or the service
    /// expands it by the query (`expansion`); the others are read one by one. Nothing where there is
    /// no such collection.
    pub(super) fn collection(
        &self,
        run: &Run,
        path: &ResourcePath,
        query: Option<&str>,
        needed: &[&str],
        most: usize,
    ) -> Result<Option<Collection>, Error> {
        let Some(mut page) = self.first_page(run, path, query)? else { return Ok(None) };
        let mut collection = Collection::default();
        for _ in 0..MOST_PAGES {
            let body = page.into_value().unwrap_or_default();
            let room = most.saturating_sub(collection.members.len());
            let members = items(body.get("Members"));
            collection.members.extend(members.iter().filter(|m| !m.is_null()).take(room).cloned());
            let next = linked(&body, "Members@odata.nextLink");
            let cut = members.len() > room;
            let Some(next) = next.filter(|_| !cut && collection.members.len() < most) else {
                collection.is_complete = !cut && linked(&body, "Members@odata.nextLink").is_none();
                break;
            };
            page = self.resource(run, &next)?;
        }
        for member in &mut collection.members {
            if expand::is_whole(member, needed) {
                continue;
            }
            let Some(path) = link(member) else { continue };
            let read = self.resource_if_there(run, &path)?.and_then(Answer::into_value);
            if let Some(Value::Object(mut read)) = read {
                // A resource that does not say its path has the one it was read from.
                read.entry("@odata.id").or_insert_with(|| path.as_str().into());
                *member = Value::Object(read);
            }
        }
        Ok(Some(collection))
    }

    /// The first page, expanded where that is asked for. A service that refuses the
    /// query, or answers it with nothing of use, is asked without.
    fn first_page(
        &self,
        run: &Run,
        path: &ResourcePath,
        query: Option<&str>,
    ) -> Result<Option<Answer>, Error> {
        if let Some(query) = query {
            let answer = self.read(run, &path.with_query(query))?;
            let has_members = answer.resource().is_some_and(|body| body.get("Members").is_some());
            match answer.status.as_u16() {
                200 if has_members => return Ok(Some(answer)),
                // A refused password is not tried again.
                401 | 403 => return Err(self.refusal(&answer, path, Delivery::NotSent)),
                404 => return Ok(None),
                // Not every resource takes it: iRMC after an update, sensors of iDRAC 9.
                _ => {}
            }
        }
        match self.resource(run, path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound { .. }) => Ok(None),
            result => result.map(Some),
        }
    }

    /// The query that expands a collection, where the service is trusted with it.
    pub(super) fn expansion(&self, run: &Run) -> Result<Option<&'static str>, Error> {
        Ok(expand::query(&self.read_service(run)?))
    }
}
