-- expand
-- What health checks and the list of hosts need to know.

-- migrations ------------------------------------------------------------------------------------------------------
-- A running node tells whether the database still has its version.
grant select on migration to fixpoint_app;

-- provisioning ----------------------------------------------------------------------------------------------------
-- As the agent of a host last reported it.
alter table host add column agent_version text;
