-- works with: 11
-- What the owner of the account has set for a chat. `muted_until` is null for a chat that is not muted. `history_ended`: the phone
-- has no messages of the chat before the stored ones.
alter table chats add column archived             integer not null default 0;
alter table chats add column muted_until          integer;
alter table chats add column pinned               integer not null default 0;
alter table chats add column marked_unread        integer not null default 0;
alter table chats add column disappearing_seconds integer not null default 0;
alter table chats add column history_ended        integer not null default 0;

-- `historical`: from a history of the phone. `listed_at` is when a received message was stored; null for messages that are listed by
-- their own time: those of a history, those that were sent, and those from before this migration.
alter table messages add column starred    integer not null default 0;
alter table messages add column historical integer not null default 0;
alter table messages add column listed_at  integer;

-- Lists are in the order of time, because messages of a history are stored after later ones.
drop index messages_account;
drop index messages_instance;
drop index messages_chat;
create index messages_account  on messages (account_id, coalesce(listed_at, created_at), row_id);
create index messages_instance on messages (instance_id, coalesce(listed_at, created_at), row_id);
create index messages_chat     on messages (instance_id, chat, coalesce(listed_at, created_at), row_id);
