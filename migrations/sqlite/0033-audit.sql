-- works with: 17
-- Which key did what: one row for each call that changes something and for each refusal by scope or walls. No texts, no secrets.
create table audit (
  id         integer primary key,
  account_id integer not null,
  key_id     integer not null,
  at         integer not null,
  action     text not null,
  instance   text,
  chat       text,
  subject    text,
  status     integer not null,
  reason     text
) strict;
create index audit_account on audit (account_id, id);
create index audit_at      on audit (at);
