-- Files of received messages, encrypted, in parts of at most 1 MB: used where several nodes have to read them. A file is removed with
-- the row of its message. The instance stands beside it, so that all files of a deleted instance can be found.
-- The check of the command line defers the reference: its test file belongs to no message.
create table received_file_parts (
  message_row_id bigint not null references received_files (message_row_id) on delete cascade deferrable,
  part           bigint not null,
  instance_id    bigint not null,
  sealed         bytea not null,
  primary key (message_row_id, part)
);
-- Encrypted bytes cannot be compressed.
alter table received_file_parts alter column sealed set storage external;
create index received_file_parts_by_instance on received_file_parts (instance_id, message_row_id) where part = 0;
