-- works with: 17
-- Labels of the owner's account, as the phone names them. A deleted label keeps its row, because its id is not given to another one.
create table labels (
  instance_id   bigint not null references instances (id) on delete cascade,
  label_id      text not null,
  name          text not null,
  color         bigint not null,
  predefined_id bigint,
  deleted       bigint not null default 0,
  updated_at    bigint not null,
  primary key (instance_id, label_id)
);

-- Which chats have a label. The phone may report this before the label, so `label_id` refers to no row.
create table chat_labels (
  chat_id     bigint not null references chats (id) on delete cascade,
  instance_id bigint not null references instances (id) on delete cascade,
  label_id    text not null,
  primary key (chat_id, label_id)
);
create index chat_labels_label on chat_labels (instance_id, label_id, chat_id);
