-- works with: 17
-- The words of each message, as src/rules/search-words.ts makes them, for GET /messages?search=. The tokenizer splits at spaces only:
-- every character beyond ASCII is part of a word. The text itself is not stored again. `rowid` is that of the message.
create virtual table message_search using fts5(words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
create trigger messages_unindexed after delete on messages begin
  delete from message_search where rowid = old.row_id;
end;

-- Messages up to this row are indexed; later ones wait for the worker.
create table search_progress (
  id       integer primary key check (id = 1),
  position integer not null
) strict;
