-- works with: 17
-- Files that a send with approval refers to are fetched when the send is accepted. They belong to that send alone, and are removed once it
-- was sent or has failed. Both columns are null for a file of a caller, and until the send is accepted.
alter table media_uploads add column held_instance_id integer;
alter table media_uploads add column held_message_id  text;
create index media_uploads_held on media_uploads (held_instance_id, held_message_id) where held_message_id is not null;

-- A person can change the content before approving it. `version` counts the changes: a decision names the version that the person saw.
alter table approvals add column version integer not null default 1;
-- Who changed what: `content` is the content of the message before the change that made `version`.
create table approval_edits (
  instance_id integer not null,
  message_id  text not null,
  version     integer not null,
  edited_at   integer not null,
  edited_by   text not null,
  content     text not null,
  primary key (instance_id, message_id, version),
  foreign key (instance_id, message_id) references approvals (instance_id, message_id) on delete cascade
) strict;
