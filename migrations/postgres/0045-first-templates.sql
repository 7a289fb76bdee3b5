-- works with: 17
-- The template that an account has without storing it is inserted when the account first uses templates. 1: that has been done, so that the
-- template stays deleted once it was deleted.
alter table accounts add column has_first_template bigint not null default 0;
