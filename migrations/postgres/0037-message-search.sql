-- works with: 17
-- The words of each message, as src/rules/search-words.ts makes them, for GET /messages?search=. The text itself is not stored again.
-- `rowid` is that of the message.
create table message_search (
  rowid bigint primary key references messages (row_id) on delete cascade,
  words tsvector not null
);
create index message_search_words on message_search using gin (words);

-- Messages up to this row are indexed; later ones wait for the worker.
create table search_progress (
  id       bigint primary key check (id = 1),
  position bigint not null
);
