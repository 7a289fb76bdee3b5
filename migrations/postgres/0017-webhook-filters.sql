-- works with: 11
-- What the filters of webhooks look at, so that no payload is parsed. Null: the event has no chat, no direction or no known sender.
-- `chat_kind` is people, groups or status. `sender` is a phone number; null for events of the instance's own messages.
alter table events add column chat_kind  text;
alter table events add column direction  text;
alter table events add column sender     text;
alter table events add column historical bigint not null default 0;

-- `filter_from` is the list that the caller gave, `filter_senders` the same numbers in every form that the network may use; both JSON.
-- Null: no filter.
alter table webhooks add column filter_chats     text not null default 'all';
alter table webhooks add column filter_from      text;
alter table webhooks add column filter_senders   text;
alter table webhooks add column filter_direction text;
alter table webhooks add column history          bigint not null default 0;
