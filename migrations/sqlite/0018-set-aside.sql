-- works with: 11
-- What a contact sent and the gateway does not process: it ended the process twice, the store refuses it, or it is malformed. `sealed` is
-- its content, encrypted with the key of the instance. `what` is message, notice or key.
create table set_aside (
  id          integer primary key,
  instance_id integer not null references instances (id) on delete cascade,
  name        text not null,
  what        text not null,
  reason      text not null,
  sealed      blob not null,
  created_at  integer not null,
  unique (instance_id, name)
) strict;
create index set_aside_age on set_aside (created_at);

-- Deaths of the process while it handled an arrival, each with a weight by its cause. `last_run` is the process that died last, so that no death counts twice.
create table arrival_deaths (
  instance_id integer not null references instances (id) on delete cascade,
  name        text not null,
  weight      integer not null,
  last_run    text not null,
  updated_at  integer not null,
  primary key (instance_id, name)
) strict;
