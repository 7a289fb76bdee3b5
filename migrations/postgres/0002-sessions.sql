-- What live sessions keep: received plaintexts until they are events, what was sent for retry requests, who is who.

-- A received message, decrypted, committed together with the keys that decrypting it used up, before the network hears
-- that it arrived. `processed_at` is set when it has become a message; the row stays a while in case the network delivers
-- it again.
create table inbox (
  instance_id  bigint not null references instances (id) on delete cascade,
  name         text not null,
  sealed       bytea not null,
  received_at  bigint not null,
  processed_at bigint,
  primary key (instance_id, name)
);
create index inbox_waiting on inbox (instance_id, received_at) where processed_at is null;
create index inbox_age on inbox (received_at);

-- The network's hidden identifiers and the phone numbers behind them.
create table addresses (
  instance_id bigint not null references instances (id) on delete cascade,
  lid         text not null,
  phone       text not null,
  updated_at  bigint not null,
  primary key (instance_id, lid)
);
create index addresses_phone on addresses (instance_id, phone);

-- Who the network said a number is; asked again when the answer is old.
create table known_numbers (
  instance_id bigint not null references instances (id) on delete cascade,
  number      text not null,
  jid         text,
  asked_at    bigint not null,
  primary key (instance_id, number)
);

-- What went over the wire, so that a phone that could not read it can ask for it again for some days.
create table sent_payloads (
  instance_id bigint not null references instances (id) on delete cascade,
  message_id  text not null,
  payload     bytea not null,
  created_at  bigint not null,
  primary key (instance_id, message_id)
);
create index sent_payloads_age on sent_payloads (created_at);

-- What it takes to fetch the file of a received message: keys included, never shown.
alter table messages add column media_reference text;
