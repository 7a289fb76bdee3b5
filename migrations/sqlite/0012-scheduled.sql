-- works with: 11
-- Scheduled messages: they enter the lane of their chat when they are due. `late`: it was due while no process was running.
alter table messages  add column send_at    integer;
alter table messages  add column expires_at integer;
alter table messages  add column late       integer not null default 0;
alter table instances add column scheduled_count integer not null default 0;

create index messages_scheduled on messages (send_at) where status = 'scheduled';
create index messages_expiring  on messages (expires_at) where status = 'queued' and expires_at is not null;
