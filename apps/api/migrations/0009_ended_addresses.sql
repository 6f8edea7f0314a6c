-- An address is taken by an account that goes on. One that was disabled or deleted keeps its row, and its owner can begin
-- anew: otherwise he could never sign up or buy again, and what he pays for as a guest would belong to nobody.
alter table customer drop constraint customer_email_key;
create unique index customer_address on customer (email) where status = 'active';

-- What nobody will pay any more is void without ever having had a number.
alter table invoice drop constraint invoice_check1;
alter table invoice add constraint invoice_numbered
  check (case status when 'draft' then number is null when 'paid' then number is not null else true end);
