-- The node that serves an instance, and the node that holds the lock of a delivery. On SQLite there is one process, and the
-- columns stay null.
alter table instances      add column node_id integer;
alter table delivery_lanes add column node_id integer;
alter table deliveries     add column node_id integer;

alter table nodes add column url       text;
alter table nodes add column version   text not null default '';
alter table nodes add column instances integer not null default 0;
alter table nodes add column ended_at  integer;
alter table nodes add column ended_by  text;
