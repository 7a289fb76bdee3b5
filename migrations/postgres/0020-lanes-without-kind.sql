-- works with: 17
-- `kind` has no reader, and is no longer written. Older programs still name it when they insert a lane, so that the column itself
-- is dropped by a later release.
alter table lanes alter column kind set default 'send';
