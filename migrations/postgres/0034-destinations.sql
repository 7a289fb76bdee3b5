-- works with: 17
-- A destination is a webhook whose format names a broker. `target` tells those with one URL apart: exchange and topic. Null: a webhook.
alter table webhooks add column target text;
drop index webhooks_scope;
create unique index webhooks_scope on webhooks (account_id, coalesce(instance_id, 0), url, coalesce(target, ''));
