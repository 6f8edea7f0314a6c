-- What the operator says instead of a text of the shop. Keys of mails begin with `mail.`.
create table text_override (
  language text not null,
  key text not null,
  text text not null check (btrim(text) <> ''),
  primary key (language, key)
);
