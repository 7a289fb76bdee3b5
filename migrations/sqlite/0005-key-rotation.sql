-- A rotated key ends with its overlap. Its successor is made with the end that the key had before: life_until keeps that end
-- (null: none) for a second rotation, and successor_id says which key took its place.
alter table api_keys add column life_until integer;
alter table api_keys add column successor_id integer;
