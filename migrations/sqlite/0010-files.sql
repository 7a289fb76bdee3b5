-- Files of received messages in parts, for several nodes. On SQLite there is one process: its files are in the data directory or in
-- an object store, and the table stays empty.
create table received_file_parts (
  message_row_id integer not null references received_files (message_row_id) on delete cascade,
  part           integer not null,
  instance_id    integer not null,
  sealed         blob not null,
  primary key (message_row_id, part)
) strict;
