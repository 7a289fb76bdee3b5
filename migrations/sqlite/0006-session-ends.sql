-- Until when the reason of a state holds, where that is known: the end of a restriction or a ban, or the time of the next try.
alter table instances add column state_until integer;

-- When a log-out was recorded that is not finished yet. The credentials are destroyed in the transaction that clears this.
alter table instances add column logout_requested_at integer;
