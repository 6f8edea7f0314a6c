-- expand
-- Legal texts as customers saw them: an order names the version that was accepted (S46).

-- text ------------------------------------------------------------------------------------------------------------
-- Kept for ever: who disputes a payment years later is answered with the wording.
create table legal_wording (
  document text not null check (document in ('terms', 'privacy')),
  version text not null,
  language text not null,
  html text not null,
  -- When a node showed this version for the first time.
  since timestamptz not null,
  primary key (document, version, language)
);
grant select, insert on legal_wording to fixpoint_app;
