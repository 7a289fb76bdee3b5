-- The event log, and the deliveries that carry it to webhooks. All of it is written with what caused it.

-- The last number given out: per instance, and per account over all its instances. Both rows are locked by whoever takes
-- a number until it commits, so that numbers follow commits and nobody who reads on from one misses a later one.
alter table instances add column event_sequence integer not null default 0;
alter table accounts add column event_position integer not null default 0;

create table events (
  account_id  integer not null references accounts (id) on delete cascade,
  position    integer not null,
  instance_id integer not null references instances (id),
  sequence    integer not null,
  name        text not null,
  data        text not null,
  created_at  integer not null,
  primary key (account_id, position)
) strict;
create unique index events_instance on events (instance_id, sequence);

-- A secret that was replaced still signs until `previous_until`. `failing_since` is the first of nothing but failures.
alter table webhooks add column previous_sealed_secret blob;
alter table webhooks add column previous_until integer;
alter table webhooks add column failing_since integer;
alter table webhooks add column disabled_reason text;
alter table webhooks add column disabled_at integer;

-- One event for one webhook: `pending` until its first try, then `delivered`, or `retrying` until it is, or is `dead`.
-- `asked` counts those of its tries that came early because the receiver asked for it. A retry is locked by itself.
create table deliveries (
  id           integer primary key autoincrement,
  webhook_id   integer not null references webhooks (id) on delete cascade,
  account_id   integer not null,
  instance_id  integer not null,
  position     integer not null,
  status       text not null,
  tries        integer not null default 0,
  asked        integer not null default 0,
  due_at       integer,
  locked_until integer,
  fence        integer not null default 0,
  created_at   integer not null,
  updated_at   integer not null,
  delivered_at integer
) strict;
create unique index deliveries_event on deliveries (webhook_id, position);
create index deliveries_first on deliveries (webhook_id, instance_id, position) where status = 'pending';
create index deliveries_retry on deliveries (webhook_id, due_at) where status = 'retrying';
create index deliveries_due on deliveries (due_at) where status = 'retrying';
create index deliveries_locked on deliveries (webhook_id) where locked_until is not null;
create index deliveries_dead on deliveries (webhook_id, position) where status = 'dead';
create index deliveries_age on deliveries (created_at);

-- First tries go out in order per webhook and instance: the lane is locked, not the delivery. Null: nothing is waiting.
create table delivery_lanes (
  webhook_id   integer not null references webhooks (id) on delete cascade,
  instance_id  integer not null,
  due_at       integer,
  locked_until integer,
  fence        integer not null default 0,
  primary key (webhook_id, instance_id)
) strict;
create index delivery_lanes_due on delivery_lanes (due_at) where due_at is not null;

-- What was sent beside the body, and what the receiver answered, attempt by attempt. Headers are JSON.
create table delivery_attempts (
  id          integer primary key autoincrement,
  delivery_id integer not null references deliveries (id) on delete cascade,
  at          integer not null,
  duration_ms integer not null,
  status_code integer,
  headers     text not null,
  answer      text,
  error       text
) strict;
create index delivery_attempts_delivery on delivery_attempts (delivery_id, id);

-- A conversation is read from its end, both directions together.
create index messages_chat on messages (instance_id, chat, row_id);

-- Files of received messages, because the network forgets them: `wanted` until fetched, then `kept` in the data directory,
-- or `lost`. The row is there as long as the file.
create table received_files (
  message_row_id integer primary key references messages (row_id) on delete cascade,
  instance_id    integer not null,
  status         text not null,
  tries          integer not null default 0,
  due_at         integer,
  created_at     integer not null
) strict;
create index received_files_due on received_files (due_at) where status = 'wanted';
create index received_files_age on received_files (created_at);
