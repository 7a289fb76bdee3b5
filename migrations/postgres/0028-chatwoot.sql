-- works with: 17
-- What the bridge to Chatwoot has made there: the conversation of each chat, and the message of each message. A row is written before
-- the call that creates its counterpart, so that a process that finds one without it knows that an earlier call is in doubt.
create table chatwoot_chats (
  webhook_id      bigint not null references webhooks (id) on delete cascade,
  chat            text not null,
  claimed_at      bigint not null,
  contact_id      bigint,
  conversation_id bigint,
  primary key (webhook_id, chat)
);
create index chatwoot_chats_conversation on chatwoot_chats (webhook_id, conversation_id);

-- `message` is a direction and the id of the message. Several messages of this gateway are the parts of one that an agent has written.
create table chatwoot_messages (
  webhook_id      bigint not null references webhooks (id) on delete cascade,
  message         text not null,
  claimed_at      bigint not null,
  chatwoot_id     bigint,
  part            bigint not null default 0,
  conversation_id bigint,
  primary key (webhook_id, message)
);
create unique index chatwoot_messages_there on chatwoot_messages (webhook_id, chatwoot_id, part);

-- An instance has one bridge.
create unique index webhooks_chatwoot on webhooks (instance_id) where format = 'chatwoot';
