-- The processes that use this database. On SQLite the lock of the data directory allows only one, and the table stays empty.
-- `status`: `standby` waits, `live` works, `dead` may never work again.
create table nodes (
  id          integer primary key,
  name        text not null,
  status      text not null,
  lease_until integer not null,
  started_at  integer not null
) strict;
