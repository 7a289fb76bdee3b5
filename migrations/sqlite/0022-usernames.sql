-- works with: 17
-- The name that a person has chosen on the network instead of showing the number. It belongs to the hidden identifier.
create table usernames (
  instance_id integer not null references instances (id) on delete cascade,
  lid         text not null,
  username    text not null,
  updated_at  integer not null,
  primary key (instance_id, lid)
) strict;
