-- expand
-- Whom owners invited, by address: whoever has the address is erased from the details of every customer.

-- audit -----------------------------------------------------------------------------------------------------------

create index audit_detail_invited on audit_detail ((detail ->> 'about')) where operation = 'invite';
