-- Accounts, keys, instances, contacts, messages and webhooks.
-- Times are integer milliseconds, JSON is text, booleans are 0 and 1: the same on both engines.

create table facts (
  name  text primary key,
  value text not null
) strict;

create table plans (
  id                  integer primary key autoincrement,
  name                text not null,
  interval            text not null,
  currency            text not null,
  amount              integer not null,
  limits              text not null,
  features            text not null,
  requests_per_second integer,
  created_at          integer not null,
  updated_at          integer not null
) strict;

create table accounts (
  id                   integer primary key autoincrement,
  name                 text not null,
  plan_id              integer not null references plans (id),
  status               text not null,
  current_period_start integer not null,
  current_period_end   integer,
  trial_ends_at        integer,
  expires_at           integer,
  created_at           integer not null,
  updated_at           integer not null
) strict;
create index accounts_plan on accounts (plan_id);

create table users (
  id         integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  name       text not null,
  email      text not null,
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, email)
) strict;

-- The key itself is never kept: only its SHA-256.
create table api_keys (
  id           integer primary key autoincrement,
  account_id   integer not null references accounts (id) on delete cascade,
  name         text not null,
  hint         text not null,
  hash         text not null unique,
  scopes       text not null,
  source       text not null,
  created_at   integer not null,
  expires_at   integer,
  revoked_at   integer,
  last_used_at integer
) strict;
create index api_keys_account on api_keys (account_id, id);

-- What an account has used of a resource. `period` is the start of the period for what is counted per period, else 0.
create table usage (
  account_id integer not null references accounts (id) on delete cascade,
  resource   text not null,
  period     integer not null,
  used       integer not null,
  primary key (account_id, resource, period)
) strict;

-- `fence` grows with every change of ownership, so that a former owner's late writes can be told apart.
-- A deleted instance keeps its row, so that its messages can still be asked for and a repeated delete be told from a
-- name never known.
create table instances (
  id                  integer primary key autoincrement,
  account_id          integer not null references accounts (id),
  display_name        text not null,
  api_name            text not null unique,
  integration         text,
  state               text not null,
  state_reason        text,
  logged_in           integer not null default 0,
  number              text,
  lid                 text,
  profile_name        text,
  profile_picture_url text,
  contact_count       integer not null default 0,
  saved_group_count   integer not null default 0,
  queued_count        integer not null default 0,
  fence               integer not null default 0,
  created_at          integer not null,
  updated_at          integer not null,
  deleted_at          integer
) strict;
create index instances_account on instances (account_id, id) where deleted_at is null;

-- Data keys, wrapped by the master key. Destroying the row destroys all that was sealed with it.
create table data_keys (
  scope      text primary key,
  wrapped    blob not null,
  created_at integer not null
) strict;

-- Session credentials, each value sealed with the instance's data key.
create table session_keys (
  instance_id integer not null references instances (id) on delete cascade,
  kind        text not null,
  name        text not null,
  sealed      blob not null,
  primary key (instance_id, kind, name)
) strict;

create table chats (
  id                integer primary key autoincrement,
  instance_id       integer not null references instances (id) on delete cascade,
  jid               text not null,
  is_group          integer not null,
  name              text,
  push_name         text,
  last_message_text text,
  last_message_at   integer,
  unread_count      integer not null default 0,
  -- The chat's place in the list: its last message, or its creation.
  active_at         integer not null,
  created_at        integer not null,
  updated_at        integer not null,
  unique (instance_id, jid)
) strict;
create index chats_latest on chats (instance_id, active_at desc, id desc);

create table contacts (
  id                     integer primary key autoincrement,
  account_id             integer not null references accounts (id),
  instance_id            integer not null references instances (id) on delete cascade,
  chat_id                integer not null unique references chats (id) on delete cascade,
  name                   text not null,
  phone                  text,
  jid                    text not null,
  is_group               integer not null,
  profile_picture_url    text,
  assigned_user_id       integer,
  assigned_department_id integer,
  funnel_stage_id        integer,
  notes                  text,
  custom_data            text not null,
  show_time_in_stage     integer not null default 0,
  -- Lower-case copies: the order of the list, and what a search looks through.
  sort_name              text not null,
  search_text            text not null,
  created_at             integer not null,
  updated_at             integer not null,
  unique (instance_id, jid)
) strict;
create index contacts_people on contacts (instance_id, sort_name, id) where is_group = 0;
create index contacts_all on contacts (instance_id, sort_name, id);

-- Finds three and more characters anywhere in search_text without reading every row.
create virtual table contact_search using fts5 (
  search_text, content = 'contacts', content_rowid = 'id', tokenize = 'trigram case_sensitive 1'
);
create trigger contacts_search_insert after insert on contacts begin
  insert into contact_search (rowid, search_text) values (new.id, new.search_text);
end;
create trigger contacts_search_delete after delete on contacts begin
  insert into contact_search (contact_search, rowid, search_text) values ('delete', old.id, old.search_text);
end;
create trigger contacts_search_update after update of search_text on contacts
when old.search_text <> new.search_text begin
  insert into contact_search (contact_search, rowid, search_text) values ('delete', old.id, old.search_text);
  insert into contact_search (rowid, search_text) values (new.id, new.search_text);
end;

create table groups (
  instance_id         integer not null references instances (id) on delete cascade,
  jid                 text not null,
  subject             text not null,
  description         text,
  owner_jid           text,
  group_created_at    integer,
  size                integer not null,
  is_admin            integer not null,
  is_announcement     integer not null,
  is_locked           integer not null,
  profile_picture_url text,
  participants        text not null,
  updated_at          integer not null,
  primary key (instance_id, jid)
) strict;

-- `id` is what the network sees, fixed before the first try. Two instances can hold the same id: one sent, one received.
create table messages (
  row_id          integer primary key autoincrement,
  id              text not null,
  account_id      integer not null references accounts (id),
  instance_id     integer not null references instances (id),
  direction       text not null,
  chat            text not null,
  number          text,
  group_jid       text,
  kind            text not null,
  content         text not null,
  delay_ms        integer not null,
  status          text not null,
  failure_reason  text,
  failure_error   text,
  failure_code    integer,
  lane            text,
  lane_seq        integer,
  tries           integer not null default 0,
  created_at      integer not null,
  updated_at      integer not null,
  sent_at         integer,
  delivered_at    integer,
  read_at         integer,
  unique (id, instance_id, direction)
) strict;
create index messages_account on messages (account_id, row_id);
create index messages_instance on messages (instance_id, row_id);
create index messages_lane on messages (lane, lane_seq) where status in ('queued', 'sending');

-- Ordered work: the lane is locked, not the message. `last_seq` is taken in the producer's own transaction, so that the
-- order in a lane is the order of commits. `due_at` carries pacing and back-off alike; null means nothing is waiting.
create table lanes (
  key          text primary key,
  kind         text not null,
  instance_id  integer not null references instances (id) on delete cascade,
  due_at       integer,
  locked_until integer,
  owner        text,
  fence        integer not null default 0,
  last_seq     integer not null default 0
) strict;
create index lanes_due on lanes (instance_id, due_at, key);
create index lanes_held on lanes (instance_id) where locked_until is not null;

create table idempotency_keys (
  account_id  integer not null references accounts (id) on delete cascade,
  key         text not null,
  fingerprint text not null,
  answer      text not null,
  created_at  integer not null,
  primary key (account_id, key)
) strict;
create index idempotency_keys_age on idempotency_keys (created_at);

create table webhooks (
  id            integer primary key autoincrement,
  account_id    integer not null references accounts (id) on delete cascade,
  instance_id   integer references instances (id) on delete cascade,
  name          text not null,
  url           text not null,
  events        text not null,
  enabled       integer not null,
  sealed_secret blob not null,
  created_at    integer not null,
  updated_at    integer not null
) strict;
create unique index webhooks_scope on webhooks (account_id, coalesce(instance_id, 0), url);
