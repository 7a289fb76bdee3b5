-- works with: 17
-- What the program of the caller calls a send: a campaign, an order. Null: it has not named it.
alter table messages add column reference text;

-- Lists of a reference in their order. With the status in it, messages that can still be cancelled are found among many that were sent.
create index messages_reference on messages (account_id, reference, coalesce(listed_at, created_at), row_id, status)
  where reference is not null;
