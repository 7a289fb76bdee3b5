-- works with: 17
-- Numbers that are known under another form may have been found by the wrong rule that Brazilian landlines have a ninth digit. Their next use
-- asks the network again. `is_confirmed`: the network named the identifier for this very number, not for another form of it.
delete from known_numbers where jid is not null and jid <> number || '@s.whatsapp.net';
alter table known_numbers add column is_confirmed integer not null default 0;

-- The same rule has added numbers of other people to the senders that webhooks are limited to.
update webhooks set filter_senders = (
  select json_group_array(sender.value) from json_each(webhooks.filter_senders) as sender
  where sender.value in (select given.value from json_each(webhooks.filter_from) as given)
    or not (length(sender.value) = 13 and sender.value glob '55[1-9][1-9]9[0-5]*'
      or length(sender.value) = 12 and sender.value glob '55[1-9][1-9][0-5]*')
) where filter_senders is not null and filter_from is not null;
