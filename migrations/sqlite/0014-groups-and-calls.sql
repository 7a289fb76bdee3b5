-- works with: 11
-- Settings of a group. Null until the group was read by a program that knows them.
alter table groups add column join_approval        integer;
alter table groups add column member_add           text;
alter table groups add column disappearing_seconds integer;

-- Whether the groups of the login were listed once. Before that, an unknown group is not a new one.
alter table instances add column groups_listed integer not null default 0;

-- Calls of the last day: they can be rejected, and a repeated notice of the network causes no second event.
-- `caller` is a person as JSON. `creator` is the caller's identifier as the network used it.
create table calls (
  instance_id integer not null references instances (id) on delete cascade,
  id          text not null,
  caller      text not null,
  creator     text not null,
  is_video    integer,
  is_group    integer,
  group_jid   text,
  status      text not null,
  updated_at  integer not null,
  primary key (instance_id, id)
) strict;
create index calls_by_age on calls (updated_at);
