-- works with: 17
-- Numbers that are known under another form may have been found by the wrong rule that Brazilian landlines have a ninth digit. Their next use
-- asks the network again. `is_confirmed`: the network named the identifier for this very number, not for another form of it.
delete from known_numbers where jid is not null and jid <> number || '@s.whatsapp.net';
alter table known_numbers add column is_confirmed bigint not null default 0;

-- The same rule has added numbers of other people to the senders that webhooks are limited to.
update webhooks set filter_senders = (
  select json_agg(sender.value)::text from json_array_elements_text(webhooks.filter_senders::json) as sender (value)
  where sender.value in (select given.value from json_array_elements_text(webhooks.filter_from::json) as given (value))
    or not (sender.value ~ '^55[1-9][1-9]9[0-5][0-9]{7}$' or sender.value ~ '^55[1-9][1-9][0-5][0-9]{7}$')
) where filter_senders is not null and filter_from is not null;
