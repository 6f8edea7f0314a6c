-- Addresses by which a host's machine itself reaches the internet, as its agent said last: its own, and its next router's.
-- Bound for customers they would leave it deaf, so nobody gets one of them.
alter table host add column own_addresses inet[] not null default '{}';
