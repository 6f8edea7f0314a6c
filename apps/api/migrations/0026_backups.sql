-- expand
-- Backups, and whether this shop was restored from one.

-- backup ----------------------------------------------------------------------------------------------------------
-- Complete backups in the backup folder.
create table backup (
  file text primary key,
  made_at timestamptz not null,
  bytes bigint not null,
  -- Null: on this machine alone.
  copied_at timestamptz
);
grant select, insert, update (copied_at), delete on backup to fixpoint_app;

-- A restored shop does not start before staff has settled what it does not know.
create table shop_restore (
  restored_at timestamptz primary key,
  backup_at timestamptz not null,
  settled_at timestamptz
);
grant select, insert, update (settled_at) on shop_restore to fixpoint_app;
