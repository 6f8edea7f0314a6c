-- One-time codes: sign up, set a new password, change the password.
create table challenge (
  -- Named to the client as `flow`: one request for a code, not to be guessed.
  id text primary key,
  purpose text not null check (purpose in ('signUp', 'resetPassword', 'changePassword')),
  email text not null check (email = lower(btrim(email))),
  -- Null: nobody has this address; everything looks the same from outside, and no letter is sent.
  customer_id text references customer,
  -- HMAC of the code; null until the letter is written.
  code_hash bytea,
  tries int not null default 0 check (tries <= 5),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  grant_hash bytea unique,
  grant_expires_at timestamptz,
  -- Sign-up only: what becomes the account when the code is right.
  password_hash text,
  language text,
  terms_version text,
  check ((purpose = 'signUp') = (password_hash is not null)),
  check (purpose <> 'changePassword' or customer_id is not null)
);
create index challenge_address on challenge (email, purpose, sent_at);
