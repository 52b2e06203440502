//! All that a file has on one event, and the events that belong to it.

use rocpd::reader::{EventDetails, Relation, RowId, TrackId};

use crate::answer::{Answer, Kept, first, row, table, table_code, table_event_type};
use crate::boundary::{Failure, get_sized, growing, guard, set_sized};
use crate::context::context;
use crate::lists::Rows;
use crate::query_types::{
    ph_argument_t, ph_cell_t, ph_event_details_t, ph_related_event_t, ph_related_list_t,
    ph_relation_t, ph_table_t,
};
use crate::types::{PH_ID_NONE, ph_ctx_t, ph_result_t};

growing!(ph_event_details_t, ph_related_list_t);

const NO_DETAILS: ph_event_details_t = ph_event_details_t {
    size: size_of::<ph_event_details_t>(),
    table: ph_table_t::PH_TABLE_REGION,
    row_id: 0,
    name: c"".as_ptr(),
    category: c"".as_ptr(),
    call_stack: c"".as_ptr(),
    line_info: c"".as_ptr(),
    row_cell_count: 0,
    row_cells: std::ptr::null(),
    event_cell_count: 0,
    event_cells: std::ptr::null(),
    argument_count: 0,
    arguments: std::ptr::null(),
};

type DetailParts = (Vec<ph_cell_t>, Vec<ph_cell_t>, Vec<ph_argument_t>);

fn details(found: &EventDetails) -> (ph_event_details_t, Answer<DetailParts>) {
    let mut kept = Kept::default();
    let mut cells = |list: &[rocpd::reader::NamedCell]| -> Vec<ph_cell_t> {
        let cells = list.iter().map(|named| {
            let column = kept.keep(&named.column);
            kept.cell(column, &named.value)
        });
        cells.collect()
    };
    let row_cells = cells(&found.row);
    let event_cells = cells(&found.event_row);
    let arguments: Vec<_> = (found.arguments.iter())
        .map(|argument| ph_argument_t {
            position: argument.position,
            r#type: kept.keep(&argument.argument_type),
            name: kept.keep(&argument.name),
            value: argument
                .value
                .as_ref()
                .map_or(std::ptr::null(), |value| kept.keep(value)),
            extdata: kept.keep_or_empty(argument.extdata.as_ref()),
        })
        .collect();
    let details = ph_event_details_t {
        size: size_of::<ph_event_details_t>(),
        table: table_code(found.event.table),
        row_id: row(Some(found.event.row)),
        name: kept.keep(&found.name),
        category: kept.keep_or_empty(found.category.as_ref()),
        call_stack: kept.keep_or_empty(found.call_stack.as_ref()),
        line_info: kept.keep_or_empty(found.line_info.as_ref()),
        row_cell_count: row_cells.len() as u64,
        row_cells: first(&row_cells),
        event_cell_count: event_cells.len() as u64,
        event_cells: first(&event_cells),
        argument_count: arguments.len() as u64,
        arguments: first(&arguments),
    };
    let answer = Answer {
        _parts: (row_cells, event_cells, arguments),
        _texts: kept.0,
    };
    (details, answer)
}

/// Tells all that the file has on one event: every column of its row and of its event row, its
/// arguments, its call stack and line info.
///
/// The file has no index of arguments, so this looks at each of them once.
///
/// @param ctx      A context.
/// @param table    The event's table: a ph_table_t.
/// @param row_id   The event's row: ph_event_t.id.
/// @param details  Where to write them, size set. Owned by the context, until it is freed or
///                 ph_event_details_free is called.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if details is
///         NULL, its size is wrong, or there is no such row; PH_RESULT_INVALID_DATABASE if the
///         file became unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_event_details(
    ctx: ph_ctx_t,
    table: u32,
    row_id: u64,
    details: *mut ph_event_details_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(details, &NO_DETAILS, "details") }?;
        context(ctx)?.run(|context| {
            let found = context.reader.details(event_ref(table, row_id)?)?;
            let (filled, answer) = self::details(&found);
            context.handed.keep(filled.row_cells, answer);
            // SAFETY: as above.
            unsafe { set_sized(details, &filled, "details") }
        })
    })
}

fn event_ref(number: u32, row_id: u64) -> Result<rocpd::reader::EventRef, Failure> {
    Ok(rocpd::reader::EventRef {
        guid: 0,
        table: table(number)?,
        row: RowId(row_id.cast_signed()),
    })
}

/// Gives back what ph_get_event_details wrote. The struct is emptied.
///
/// @param ctx      The context that it comes from.
/// @param details  The struct, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS, also for an empty one; PH_RESULT_INVALID_CONTEXT;
///         PH_RESULT_INVALID_ARGUMENT if it is none of this context's, or was given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_event_details_free(
    ctx: ph_ctx_t,
    details: *mut ph_event_details_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if details.is_null() {
            return Ok(());
        }
        // SAFETY: the header asks for a struct that ph_get_event_details wrote.
        let key = unsafe { get_sized(details, "details") }?.row_cells;
        context.run(|context| context.handed.drop_kept(key))?;
        // SAFETY: as above.
        unsafe { set_sized(details, &NO_DETAILS, "details") }
    })
}

const NO_RELATED: ph_related_list_t = ph_related_list_t {
    size: size_of::<ph_related_list_t>(),
    count: 0,
    items: std::ptr::null(),
};

/// Lists the events that belong to an event by stack id and correlation id (its flow), ordered by
/// relation, then by start.
///
/// The file has no index of these ids, so this looks at every event row once.
///
/// @param ctx     A context.
/// @param table   The event's table: a ph_table_t.
/// @param row_id  The event's row: ph_event_t.id.
/// @param list    Where to write the list, size set. Owned by the context, until it is freed or
///                ph_related_list_free is called.
/// @return PH_RESULT_SUCCESS, with an empty list for an event that is not there or has none;
///         PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is NULL, its size is
///         wrong, or there is no such table; PH_RESULT_INVALID_DATABASE if the file became
///         unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_related_events(
    ctx: ph_ctx_t,
    table: u32,
    row_id: u64,
    list: *mut ph_related_list_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &NO_RELATED, "list") }?;
        context(ctx)?.run(|context| {
            let found = context.reader.related(event_ref(table, row_id)?)?;
            let rows = Rows::new(found.iter().map(|related| ph_related_event_t {
                size: size_of::<ph_related_event_t>(),
                relation: match related.relation {
                    Relation::SameStack => ph_relation_t::PH_RELATION_SAME_STACK,
                    Relation::Parent => ph_relation_t::PH_RELATION_PARENT,
                    Relation::Child => ph_relation_t::PH_RELATION_CHILD,
                    Relation::SameCorrelation => ph_relation_t::PH_RELATION_SAME_CORRELATION,
                },
                table: table_code(related.event.table),
                row_id: row(Some(related.event.row)),
                start: related.start,
                end: related.end,
                track_id: related.track.map_or(PH_ID_NONE, |TrackId(id)| id),
                r#type: table_event_type(related.event.table),
            }));
            let filled = ph_related_list_t {
                count: rows.count(),
                items: rows.items(),
                ..NO_RELATED
            };
            context.handed.keep(filled.items, rows);
            // SAFETY: as above.
            unsafe { set_sized(list, &filled, "list") }
        })
    })
}

/// Gives back what ph_get_related_events wrote. The list is emptied.
///
/// @param ctx   The context that it comes from.
/// @param list  The list, or NULL, which does nothing.
/// @return As ph_event_details_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_related_list_free(
    ctx: ph_ctx_t,
    list: *mut ph_related_list_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if list.is_null() {
            return Ok(());
        }
        // SAFETY: the header asks for a list that ph_get_related_events wrote.
        let key = unsafe { get_sized(list, "list") }?.items;
        context.run(|context| context.handed.drop_kept(key))?;
        // SAFETY: as above.
        unsafe { set_sized(list, &NO_RELATED, "list") }
    })
}
