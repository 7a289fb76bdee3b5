// The tables of the sandbox's SQLite file. A change adds an entry; an existing entry is never edited.

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE accounts (number TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE devices (number TEXT, id INTEGER, document TEXT NOT NULL, PRIMARY KEY (number, id)) WITHOUT ROWID;
  CREATE TABLE groups (jid TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pre_keys (
    number TEXT, device INTEGER, key_id INTEGER, value BLOB NOT NULL,
    PRIMARY KEY (number, device, key_id)
  ) WITHOUT ROWID;
  CREATE TABLE phone_keys (
    number TEXT, type TEXT, id TEXT, value TEXT NOT NULL, PRIMARY KEY (number, type, id)
  ) WITHOUT ROWID;
  CREATE TABLE queue (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT NOT NULL, device INTEGER NOT NULL,
    class TEXT NOT NULL, stanza_id TEXT NOT NULL, stanza BLOB NOT NULL
  );
  CREATE INDEX queue_by_device ON queue (number, device, class, stanza_id);
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT NOT NULL, id TEXT NOT NULL, chat TEXT NOT NULL,
    author TEXT NOT NULL, from_me INTEGER NOT NULL, status TEXT NOT NULL, timestamp INTEGER NOT NULL,
    shown TEXT NOT NULL, content BLOB NOT NULL
  );
  CREATE UNIQUE INDEX messages_by_id ON messages (number, id, author);
  CREATE INDEX messages_by_chat ON messages (number, chat, seq);
  CREATE TABLE app_state (
    number TEXT, collection TEXT, version INTEGER, patch BLOB NOT NULL,
    PRIMARY KEY (number, collection, version)
  ) WITHOUT ROWID;
  CREATE TABLE frames (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, direction TEXT NOT NULL,
    number TEXT NOT NULL, device INTEGER NOT NULL, tag TEXT NOT NULL, stanza_id TEXT NOT NULL,
    attributes TEXT NOT NULL
  );
  CREATE INDEX frames_by_id ON frames (stanza_id);
  `,
  `
  CREATE TABLE chat_settings (
    number TEXT, chat TEXT, document TEXT NOT NULL, PRIMARY KEY (number, chat)
  ) WITHOUT ROWID;
  `,
]
