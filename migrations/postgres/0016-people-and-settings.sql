-- works with: 11
-- Settings of an instance that differ from the defaults. `settings` is JSON, so that a new setting needs no column. The URL of the
-- proxy contains credentials, so it is sealed apart, with the key of the account: it outlives a log-out of the instance.
create table instance_settings (
  instance_id  bigint primary key references instances (id) on delete cascade,
  settings     text not null,
  sealed_proxy bytea,
  updated_at   bigint not null
);

-- People whose presence is reported, with the presence that was reported last. `presence` is null until the first one.
create table presence_subscriptions (
  instance_id bigint not null references instances (id) on delete cascade,
  jid         text not null,
  lid         text,
  presence    text,
  last_seen   bigint,
  updated_at  bigint not null,
  primary key (instance_id, jid)
);
