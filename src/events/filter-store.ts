// The filters of webhooks in SQL, the same on both engines: `passesFilter` of the fan-out rule, on the columns of an event and a
// webhook. Numbers consist of digits, so they contain no character that is special to `like`.

/** The columns of an event that filters read, in the order of their parameters. */
export const ROUTE_COLUMNS = 'chat_kind, direction, sender, historical'

export const FILTER_COLUMNS = 'filter_chats, filter_senders, filter_direction, history'

/** A sender that is null makes the comparison null, which is not true. */
export const PASSES_FILTER = `(filter_chats = 'all' or chat_kind is null or chat_kind = filter_chats)
    and (filter_senders is null or chat_kind is null or filter_senders like '%"' || sender || '"%')
    and (filter_direction is null or direction is null or direction = filter_direction)
    and (historical = 0 or history = 1)`
