-- How the network addressed a received message: a receipt for it has to name chat and author in the same way. JSON; null for
-- what was received before this was kept, and for what was sent.
alter table messages add column addressed_as text;
