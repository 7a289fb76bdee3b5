-- works with: 11
-- Settings of an instance that differ from the defaults. `settings` is JSON, so that a new setting needs no column. The URL of the
-- proxy contains credentials, so it is sealed apart, with the key of the account: it outlives a log-out of the instance.
create table instance_settings (
  instance_id  integer primary key references instances (id) on delete cascade,
  settings     text not null,
  sealed_proxy blob,
  updated_at   integer not null
) strict;

-- People whose presence is reported, with the presence that was reported last. `presence` is null until the first one.
create table presence_subscriptions (
  instance_id integer not null references instances (id) on delete cascade,
  jid         text not null,
  lid         text,
  presence    text,
  last_seen   integer,
  updated_at  integer not null,
  primary key (instance_id, jid)
) strict;
