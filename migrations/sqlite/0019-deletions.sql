-- works with: 17
-- Finds the deletion of a message: a change, a quote or a forward of a deleted message is refused.
create index messages_deletions on messages (instance_id, chat) where kind = 'delete';
