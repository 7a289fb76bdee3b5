-- The node that serves an instance, and the node that holds the lock of a delivery. Null: none.
alter table instances      add column node_id bigint;
alter table delivery_lanes add column node_id bigint;
alter table deliveries     add column node_id bigint;

create index instances_by_node on instances (node_id) where node_id is not null and deleted_at is null;
-- Instances that a node has to take: they have a login, a pairing or a log-out that is not finished.
create index instances_to_take on instances (id)
  where node_id is null and deleted_at is null and (logged_in = 1 or state <> 'close' or logout_requested_at is not null);

-- `url`: where the other nodes reach this one; null: it works alone. `status` may also be `draining`: the node hands over its
-- instances and takes none. `instances`: how many it serves.
alter table nodes add column url       text;
alter table nodes add column version   text not null default '';
alter table nodes add column instances bigint not null default 0;
-- When it was declared dead, and by which node.
alter table nodes add column ended_at  bigint;
alter table nodes add column ended_by  text;
