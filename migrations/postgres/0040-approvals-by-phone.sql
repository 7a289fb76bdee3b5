-- works with: 17
-- Approval on the owner's phone: the message that asks, the code of an answer, and when the question is due. `ask_at` is null once it is
-- accepted by the outbox, and for sends that are not asked about.
alter table approvals add column question_id text;
alter table approvals add column code        text;
alter table approvals add column ask_at      bigint;
create index approvals_to_ask on approvals (ask_at) where ask_at is not null;
create index approvals_asked  on approvals (instance_id, code) where decided_at is null and code is not null;
