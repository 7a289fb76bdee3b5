-- works with: 17
-- `kind` has no reader, and is no longer written. Older programs still name it when they insert a lane, so that the column itself
-- is dropped by a later release. SQLite gives a column a default only when it adds one.
alter table lanes drop column kind;
alter table lanes add column kind text not null default 'send';
