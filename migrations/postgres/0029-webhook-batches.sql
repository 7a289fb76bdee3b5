-- works with: 17
-- Whether a webhook gets several events in one request.
alter table webhooks add column batch bigint not null default 0;
