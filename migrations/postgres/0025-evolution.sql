-- works with: 17
-- Names and tokens of instances that clients of the Evolution dialect have chosen. The token is stored as a hash.
create table evolution_instances (
  instance_id bigint primary key references instances (id) on delete cascade,
  account_id  bigint not null references accounts (id) on delete cascade,
  name        text not null,
  token_hash  text not null unique,
  created_at  bigint not null,
  unique (account_id, name)
);

-- The form in which a webhook gets its events. `sealed_options` is JSON of that format: it may contain headers with secrets.
alter table webhooks add column format         text not null default 'switchboard';
alter table webhooks add column sealed_options bytea;
