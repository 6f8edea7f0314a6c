-- contract later
-- Colleagues, founders who leave and changed addresses exist from here on: no version without users understands the database.

-- account ---------------------------------------------------------------------------------------------------------
drop function refuse_beside_older_nodes() cascade;
alter table session drop constraint session_of_founder;
alter table challenge drop constraint challenge_purpose_check;
alter table challenge add constraint challenge_purpose_check
  check (purpose in ('signUp', 'resetPassword', 'changePassword', 'changeEmail'));
