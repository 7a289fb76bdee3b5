-- works with: 11
-- Files that callers upload before they send them. The row is older than the file: a file without a row is a leftover.
-- `size_bytes` is reserved until `sha256` is set: the upload is then complete. New messages may use it until `expires_at`; the file
-- stays until `kept_until`, by which the messages that use it are sent or have expired.
create table media_uploads (
  id         integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  media_id   text not null unique,
  mimetype   text not null,
  file_name  text,
  size_bytes integer not null,
  sha256     text,
  created_at integer not null,
  expires_at integer not null,
  kept_until integer not null
) strict;
create index media_uploads_by_account on media_uploads (account_id);
create index media_uploads_by_end on media_uploads (kept_until);

-- Their encrypted parts, for several nodes. On SQLite the table stays empty: the parts are in the data directory or in an object store.
create table media_upload_parts (
  upload_id integer not null references media_uploads (id) on delete cascade,
  part      integer not null,
  sealed    blob not null,
  primary key (upload_id, part)
) strict;
