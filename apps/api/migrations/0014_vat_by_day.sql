-- expand
-- VAT by the day on which a document gets its number, in its seller's country.

-- catalog ---------------------------------------------------------------------------------------------------------
-- Rates of a country from the start of a day on. Before the first of them it has its rate of `vat_rate`, the only one that
-- the previous version knows.
create table vat_change (
  country text not null,
  from_day date not null,
  rate_bp int not null check (rate_bp between 0 and 10000),
  primary key (country, from_day)
);
grant select, insert, update, delete on vat_change to fixpoint_app;
grant select on vat_change to fixpoint_customer;

-- The rate of a country on a day, in basis points; null for a country that the catalogue does not name.
create function vat_rate_on(of_country text, on_day date) returns int language sql stable parallel safe as $$
  select coalesce(
    (select rate_bp from vat_change where country = of_country and from_day <= on_day order by from_day desc limit 1),
    (select rate_bp from vat_rate where country = of_country))
$$;
grant execute on function vat_rate_on(text, date) to fixpoint_app, fixpoint_customer;

-- billing ---------------------------------------------------------------------------------------------------------
-- The day of the number, in the seller's country. Null: the previous version gave it, by the day in Bangkok.
alter table invoice add column numbered_on date;
alter table credit_note add column numbered_on date;

-- subscription ----------------------------------------------------------------------------------------------------
-- The day from which payments contain the announced rate. Null beside a rate: the previous version announced it.
alter table subscription add column announced_vat_day date;
