-- expand
-- What the status page shows of each place: 90 days of minutes, and nothing about anybody.

-- provisioning ----------------------------------------------------------------------------------------------------
-- Minutes of a day in which a place was watched, and those of them in which a server there did not answer. A minute in which
-- nobody watched is in neither.
create table place_day (
  provider_id text not null,
  region_id text not null,
  vendor_id text not null,
  day date not null,
  watched_minutes int not null check (watched_minutes between 1 and 1440),
  disturbed_minutes int not null check (disturbed_minutes between 0 and watched_minutes),
  -- The last minute of the day that was counted, so that none counts twice.
  last_minute int not null check (last_minute between 0 and 1439),
  primary key (provider_id, region_id, vendor_id, day),
  foreign key (provider_id, region_id, vendor_id) references offer
);
create index place_day_day on place_day (day);
grant select, insert, update, delete on place_day to fixpoint_app;
