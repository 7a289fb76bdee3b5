-- works with: 17
-- How often something happened in an hour, for GET /statistics: one row per instance, one for each account (instance_id 0), and one for
-- the gateway (account_id 0 and instance_id 0), so that no sum over instances or accounts is needed. `hour` is its start.
create table hourly_counts (
  account_id  integer not null,
  instance_id integer not null,
  hour        integer not null,
  metric      text not null,
  label       text not null,
  count       integer not null,
  primary key (account_id, instance_id, hour, metric, label)
) strict, without rowid;
create index hourly_counts_hour on hourly_counts (hour);
