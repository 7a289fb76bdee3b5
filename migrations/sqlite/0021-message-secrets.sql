-- works with: 17
-- The secret that a received message carries, in base64: votes, edits and answers that refer to the message are encrypted with it.
-- Null: the message carried none, was stored by an older program, or was sent from here (its payload has the secret).
alter table messages add column secret text;
