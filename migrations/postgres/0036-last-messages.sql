-- works with: 17
-- The row of a chat's last message, so that its edits and its deletion reach the list of chats. `last_message_deleted`: the message was
-- deleted for everyone, and `last_message_text` is null.
alter table chats add column last_message_row_id  bigint;
alter table chats add column last_message_deleted bigint not null default 0;

update chats set last_message_row_id = (
  select row_id from messages
  where messages.instance_id = chats.instance_id and messages.chat = chats.jid
    and kind not in ('reaction', 'edit', 'delete', 'pin', 'poll_vote', 'disappearing')
    and status not in ('scheduled', 'queued', 'sending', 'failed')
  order by coalesce(listed_at, messages.created_at) desc, row_id desc limit 1)
where last_message_at is not null;

-- What older programs did not follow.
update chats set last_message_text = (
  select coalesce(edit.content::json ->> 'text', edit.content::json ->> 'message')
  from messages as target join messages as edit on edit.instance_id = target.instance_id and edit.chat = target.chat
    and coalesce(edit.listed_at, edit.created_at) >= coalesce(target.listed_at, target.created_at)
  where target.row_id = last_message_row_id and edit.kind = 'edit' and edit.status not in ('queued', 'sending', 'failed')
    and edit.content::json #>> '{target,messageId}' = target.id and edit.content::json #>> '{target,direction}' = target.direction
  order by edit.row_id desc limit 1)
where exists (
  select 1
  from messages as target join messages as edit on edit.instance_id = target.instance_id and edit.chat = target.chat
    and coalesce(edit.listed_at, edit.created_at) >= coalesce(target.listed_at, target.created_at)
  where target.row_id = last_message_row_id and edit.kind = 'edit' and edit.status not in ('queued', 'sending', 'failed')
    and edit.content::json #>> '{target,messageId}' = target.id and edit.content::json #>> '{target,direction}' = target.direction);

update chats set last_message_text = null, last_message_deleted = 1
where exists (
  select 1 from messages as target join messages as deletion
    on deletion.instance_id = target.instance_id and deletion.chat = target.chat and deletion.kind = 'delete'
  where target.row_id = last_message_row_id and deletion.status not in ('queued', 'sending', 'failed')
    and deletion.content::json #>> '{target,messageId}' = target.id
    and deletion.content::json #>> '{target,direction}' = target.direction);
