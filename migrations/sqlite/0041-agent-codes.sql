-- works with: 17
-- Codes of the authorization page for agents: each is exchanged once, within a minute, for a key with walls. The code and the key are not
-- stored. A row stays for an hour after that, so that a code that is used twice revokes the key that it gave.
create table agent_codes (
  hash         text primary key,
  account_id   integer not null references accounts (id) on delete cascade,
  granted_by   integer not null,
  client_id    text not null,
  redirect_uri text not null,
  challenge    text not null,
  permissions  text not null,
  expires_at   integer not null,
  used_at      integer,
  key_id       integer
) strict;
create index agent_codes_account    on agent_codes (account_id);
create index agent_codes_expires_at on agent_codes (expires_at);
