-- works with: 17
-- Templates of messages that clients of the Cloud API dialect have stored. `components` is JSON: header, body, footer and buttons.
create table cloud_templates (
  id             integer primary key autoincrement,
  account_id     integer not null references accounts (id) on delete cascade,
  name           text not null,
  language       text not null,
  category       text not null,
  components     text not null,
  created_at     integer not null,
  updated_at     integer not null,
  unique (account_id, name, language)
) strict;
