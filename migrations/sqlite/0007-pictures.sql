-- Profile pictures of people, groups and of the instance's own account.
-- `status`: `unknown` until the network was asked, then `present` or `absent`. `sealed` holds the bytes; null with `present`
-- means that they have to be fetched. `version` is the time of the last change. `due_at` is when the network is asked next
-- without a request; 0 comes before everything else.
create table pictures (
  instance_id integer not null references instances (id) on delete cascade,
  jid         text not null,
  status      text not null,
  sealed      blob,
  digest      text,
  version     integer not null default 0,
  checked_at  integer not null default 0,
  due_at      integer not null,
  primary key (instance_id, jid)
) strict;
create index pictures_due on pictures (instance_id, due_at);
create index pictures_kept on pictures (instance_id, checked_at) where sealed is not null;

insert into pictures (instance_id, jid, status, due_at)
  select instance_id, jid, 'unknown', 0 from contacts
  union select instance_id, jid, 'unknown', 0 from groups;

-- The version of the own picture, so that an instance is shown without a second look. Null: no picture is known.
alter table instances add column picture_version integer;

-- Addresses of pictures are made from these; the columns were never filled.
alter table instances drop column profile_picture_url;
alter table contacts drop column profile_picture_url;
alter table groups drop column profile_picture_url;
