-- works with: 17
-- Walls of API keys. `walls` has the instances, chats, messages per day and approval of a key as JSON, and its scopes; null: none.
-- Programs from before this migration see only `scopes`, which is a word that no route has: they refuse such a key.
alter table api_keys add column walls text;

-- Sends that wait until a person approves them: the message has the status `awaiting_approval` meanwhile. The row stays as the record of
-- who decided.
create table approvals (
  instance_id  bigint not null references instances (id) on delete cascade,
  message_id   text not null,
  account_id   bigint not null references accounts (id) on delete cascade,
  key_id       bigint not null,
  requested_at bigint not null,
  expires_at   bigint not null,
  decided_at   bigint,
  decision     text,
  decided_by   text,
  primary key (instance_id, message_id)
);
create index approvals_open    on approvals (expires_at) where decided_at is null;
create index messages_awaiting on messages (account_id) where status = 'awaiting_approval';
