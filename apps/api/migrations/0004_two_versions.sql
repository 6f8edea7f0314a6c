-- expand
-- What lets two versions of the shop work on one database for a while (docs/decisions/0049).

-- nodes -----------------------------------------------------------------------------------------------------------
-- Processes of the API and of the worker, each by itself every 20 seconds. Not seen for a minute: gone.
create table node (
  id text primary key,
  role text not null check (role in ('api', 'worker', 'all')),
  version text not null,
  seen_at timestamptz not null
);
grant select, insert, update, delete on node to fixpoint_app;

-- backfill --------------------------------------------------------------------------------------------------------
-- How far rows are moved from one shape to the next. The place is where the last batch ended, in the backfill's own words.
create table backfill (
  name text primary key,
  place text not null default '',
  moved bigint not null default 0,
  done_at timestamptz
);
grant select, insert, update on backfill to fixpoint_app;
