-- works with: 17
-- Texts that the people of an account send often. `shortcut` is in lower case.
create table quick_replies (
  id         integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  shortcut   text not null,
  text       text not null,
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, shortcut)
) strict;

-- The user of the account who answers the chat.
alter table chats add column assigned_user_id integer references users (id) on delete set null;
create index chats_assigned on chats (assigned_user_id, instance_id) where assigned_user_id is not null;
