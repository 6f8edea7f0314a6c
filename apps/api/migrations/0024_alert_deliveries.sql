-- expand
-- Alerts are kept after they are resolved, and every message about one is a row.

-- alert -----------------------------------------------------------------------------------------------------------
-- A resolved alert keeps its row for 90 days. One that is raised again within ten minutes is the same alert; later it counts
-- as opened once more.
alter table alert
  add column resolved_at timestamptz,
  add column openings int not null default 1;
create index alert_open on alert (kind, since) where resolved_at is null;
create index alert_resolved on alert (resolved_at) where resolved_at is not null;

create view open_alert with (security_invoker = true) as
  select kind, subject, since, last_seen, times, what from alert where resolved_at is null;
grant select on open_alert to fixpoint_app;

-- A message about an alert to a channel, or about several (summary, digest). No text: that is written when it is sent.
create table alert_delivery (
  id bigint generated always as identity primary key,
  channel text not null,
  event text not null check (event in ('opened', 'resolved', 'summary', 'digest')),
  kind text,
  subject text,
  opening int,
  -- The summary that tells it together with others.
  summary_id bigint references alert_delivery on delete cascade,
  -- Of a critical alert: counted apart, so that a storm of others never delays it.
  urgent boolean not null default false,
  created_at timestamptz not null,
  tries int not null default 0,
  tried_at timestamptz,
  sent_at timestamptz,
  unique (channel, event, kind, subject, opening),
  foreign key (kind, subject) references alert on update cascade on delete cascade,
  check ((event in ('opened', 'resolved')) = (kind is not null and subject is not null and opening is not null))
);
create index alert_delivery_alert on alert_delivery (kind, subject);
create index alert_delivery_summary on alert_delivery (summary_id) where summary_id is not null;
create index alert_delivery_recent on alert_delivery (channel, created_at) where summary_id is null;
create index alert_delivery_unsent on alert_delivery (channel, tried_at) where sent_at is null;
create index alert_delivery_old on alert_delivery (created_at);
grant select, insert, update, delete on alert_delivery to fixpoint_app;

-- catalog ---------------------------------------------------------------------------------------------------------
-- How many addresses of a place somebody had on a day, for two weeks: says when the place runs out.
create table taken_addresses (
  provider_id text not null,
  region_id text not null,
  vendor_id text not null,
  day date not null,
  taken int not null check (taken >= 0),
  primary key (provider_id, region_id, vendor_id, day),
  foreign key (provider_id, region_id, vendor_id) references offer
);
grant select, insert, update, delete on taken_addresses to fixpoint_app;

-- provisioning ----------------------------------------------------------------------------------------------------
-- The addresses of a pool that somebody has are counted each hour.
create index static_ip_taken on static_ip (pool_id) where subscription_id is not null;
