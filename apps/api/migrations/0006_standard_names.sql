-- contract
-- Names of tables, columns, queues and values as the field knows them (docs/glossary.md). Only names change: rows, rights,
-- policies and indexes stay. Values are rewritten in place, which later files leave to a backfill: before 0.2.0 a shop has few.

-- alert -----------------------------------------------------------------------------------------------------------
alter table attention rename to alert;

-- idempotency -----------------------------------------------------------------------------------------------------
alter table kept_answer rename to idempotency_record;
alter table idempotency_record rename column held_until to locked_until;
alter table idempotency_record rename column turn to attempt;

-- checkout --------------------------------------------------------------------------------------------------------
alter table shop_order rename column gives to entitlements;

-- subscription ----------------------------------------------------------------------------------------------------
alter table subscription rename column next_gives to next_entitlements;

-- billing ---------------------------------------------------------------------------------------------------------
-- What the unused days of another subscription pay, and what came beyond the invoice and became its customer's credit.
alter table invoice rename column carried to prorated;
alter table invoice rename column kept to credited;
alter table invoice rename column papers_at to documents_due_at;
alter table credit_note rename column carried to prorated;
alter table credit_note rename column kept to credited;

-- payment ---------------------------------------------------------------------------------------------------------
alter table payer rename to gateway_customer;
alter table saved_method rename column payer_id to gateway_customer_id;
alter table saved_method rename column tell_at to notify_at;
alter table attempt rename column payer_id to gateway_customer_id;
alter table attempt rename column excess to unapplied;
alter table hand_payback rename to out_of_band_refund;
alter table refund rename column note_kept to note_credited;

-- key -------------------------------------------------------------------------------------------------------------
alter table vpn_key rename column tell_at to notify_at;

-- provisioning ----------------------------------------------------------------------------------------------------
alter table ended_machine rename to fenced_host;
alter table host_change rename to pending_change;
alter table pending_change rename column owed_since to due_since;
alter table static_ip rename column held_until to reserved_until;
alter table static_ip rename column held_at_most to reserved_at_most;
alter table static_ip rename column rests_until to cooldown_until;
alter view free_address rename column rests_until to cooldown_until;
alter table static_ip rename column tell_at to notify_at;
alter table assignment rename column proven to delivery_ok;

-- Constraints, indexes and sequences follow their tables and columns.
do $$ declare
  renames constant text[] := array[
    ['attention', 'alert'],
    ['kept_answer_held_until', 'idempotency_record_locked_until'], ['kept_answer_turn', 'idempotency_record_attempt'],
    ['kept_answer', 'idempotency_record'],
    ['shop_order_gives', 'shop_order_entitlements'],
    ['invoice_carried', 'invoice_prorated'], ['invoice_kept', 'invoice_credited'], ['invoice_papers', 'invoice_documents_due'],
    ['credit_note_carried', 'credit_note_prorated'], ['credit_note_id_kept', 'credit_note_id_credited'],
    ['credit_note_kept', 'credit_note_credited'],
    ['saved_method_payer_id', 'saved_method_gateway_customer_id'], ['saved_method_tell', 'saved_method_notify'],
    ['attempt_payer_id', 'attempt_gateway_customer_id'], ['attempt_excess', 'attempt_unapplied'],
    ['payer', 'gateway_customer'], ['hand_payback', 'out_of_band_refund'],
    ['refund_note_kept', 'refund_note_credited'],
    ['vpn_key_tell', 'vpn_key_notify'],
    ['ended_machine', 'fenced_host'], ['host_change', 'pending_change'],
    ['static_ip_held', 'static_ip_reserved'], ['static_ip_tell', 'static_ip_notify'], ['static_ip_resting', 'static_ip_cooldown']
  ];
  pair text[];
  named record;
begin
  foreach pair slice 1 in array renames loop
    for named in
      select conrelid::regclass as of, conname as before from pg_constraint
      where connamespace = 'public'::regnamespace and conname ~ ('^' || pair[1] || '(_|$)')
    loop
      execute format('alter table %s rename constraint %I to %I', named.of, named.before,
        regexp_replace(named.before, '^' || pair[1], pair[2]));
    end loop;
    for named in
      select relname as before from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('i', 'S') and relname ~ ('^' || pair[1] || '(_|$)')
    loop
      execute format('alter table %I rename to %I', named.before,
        regexp_replace(named.before, '^' || pair[1], pair[2]));
    end loop;
  end loop;
end $$;

-- Values ----------------------------------------------------------------------------------------------------------
do $$ declare dialect record; begin
  for dialect in
    select conrelid::regclass as of, conname from pg_constraint
    where contype = 'c' and conrelid in ('refund'::regclass, 'ledger_entry'::regclass)
      and pg_get_constraintdef(oid) ~ '''(excess|byHand)'''
  loop
    execute format('alter table %s drop constraint %I', dialect.of, dialect.conname);
  end loop;
end $$;
drop index refund_one_excess;
update refund set reason = 'unapplied' where reason = 'excess';
alter table refund add constraint refund_reason_check check (reason in ('unapplied', 'staff', 'customer')),
  add constraint refund_credit_note_check check ((reason = 'unapplied') = (credit_note_id is null));
create unique index refund_one_unapplied on refund (attempt_id) where reason = 'unapplied' and status <> 'failed';

-- The name of an account changes and no booking.
alter table ledger_entry disable trigger ledger_stays;
update ledger_entry set account = 'outOfBand' where account = 'byHand';
alter table ledger_entry enable trigger ledger_stays;
alter table ledger_entry add constraint ledger_entry_account_check check (account in
  ('provider', 'fees', 'revenue', 'vat', 'refundsDue', 'credit', 'reserved', 'goodwill', 'disputed', 'writeOff',
    'outOfBand'));

update text_override set key = 'mail.creditNote.credited.body' where key = 'mail.creditNote.kept.body';
update text_override set key = 'mail.creditNote.prorated.body' where key = 'mail.creditNote.carried.body';
update text_override set key = 'mail.renewalAhead.subjectManual' where key = 'mail.renewalAhead.subjectByHand';
update text_override set key = 'mail.renewalAhead.manual' where key = 'mail.renewalAhead.byHand';
update text_override set key = 'mail.document.' || substr(key, 12) where key like 'mail.paper.%';
update text_override set key = 'email.' || substr(key, 6) where key like 'mail.%';

update alert set kind = 'task.failing' where kind = 'duty.failing';
update alert set kind = 'payment.unapplied' where kind = 'excess.homeless';
update alert set kind = 'delivery.failed' where kind = 'delivery.unproven';

-- jobs ------------------------------------------------------------------------------------------------------------
-- A scheduled task has a queue of its own, with a prefix before its name.
create function pg_temp.queue_name(name text) returns text language sql immutable as $$
  select case when name like 'duty-%' then 'task-' else '' end || case regexp_replace(name, '^duty-', '')
    when 'lookAfterAll' then 'runAllTasks'
    when 'writePapers' then 'generateDocuments'
    when 'keepExcess' then 'creditUnapplied'
    when 'forgetUnkept' then 'forgetUnsaved'
    when 'sendMail' then 'sendEmail'
    when 'sweepKeptAnswers' then 'sweepIdempotencyRecords'
    else regexp_replace(name, '^duty-', '')
  end
$$;

-- A job that was given up keeps its data in its alert, to be tried again.
update alert set what = what - 'mail' || jsonb_build_object('template', what -> 'mail')
  where kind = 'job.dead' and subject like 'sendMail:%' and what ? 'mail';
update alert set subject = pg_temp.queue_name(split_part(subject, ':', 1)) || substr(subject, length(split_part(subject, ':', 1)) + 1)
  where kind in ('job.dead', 'job.failing', 'task.failing');

drop policy own on job_request;
update job_request set name = pg_temp.queue_name(name),
  data = case when data ? 'mail' then data - 'mail' || jsonb_build_object('template', data -> 'mail') else data end;
create policy own on job_request for insert to fixpoint_customer with check (
  customer_id = app_customer() and (
    (name = 'sendEmail' and data ->> 'customerId' = customer_id) or
    (name = 'sendCode' and exists (select from challenge where id = data ->> 'challengeId'))
  )
);

-- The queue's own tables are made after these files: a new database has nothing to rename.
do $$ declare queue record; begin
  if to_regclass('pgboss.queue') is null then
    return;
  end if;
  for queue in
    select name as before, pg_temp.queue_name(name) as now from pgboss.queue where name <> pg_temp.queue_name(name)
  loop
    insert into pgboss.queue
      select (jsonb_populate_record(null::pgboss.queue, to_jsonb(made) || jsonb_build_object('name', queue.now))).*
      from pgboss.queue made where name = queue.before
      on conflict do nothing;
    update pgboss.job set name = queue.now where name = queue.before;
    update pgboss.job set source_name = queue.now where source_name = queue.before;
    update pgboss.schedule set name = queue.now where name = queue.before;
    update pgboss.subscription set name = queue.now where name = queue.before;
    delete from pgboss.queue where name = queue.before;
  end loop;
  update pgboss.job set data = data - 'mail' || jsonb_build_object('template', data -> 'mail')
    where coalesce(source_name, name) = 'sendEmail' and data ? 'mail';
end $$;
