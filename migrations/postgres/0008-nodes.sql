-- The processes that use this database. A row is one life of one process: ids are random and never reused.
-- `status`: `standby` waits, `live` works, `dead` may never work again. `lease_until` is a time on the clock of the database.
create table nodes (
  id          bigint primary key,
  name        text not null,
  status      text not null,
  lease_until bigint not null,
  started_at  bigint not null
);
