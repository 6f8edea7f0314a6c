import type { Kind } from './secrets.ts';

/** The only columns (and members of JSON in them) that may hold these kinds, with the reason. */
const places: Record<string, { kind: Kind; reason: string }> = {
  'public.customer.email': { kind: 'e-mail address', reason: 'names the account' },
  'public.shop_order.email': { kind: 'e-mail address', reason: 'who buys without an account' },
  'public.invoice.buyer.email': { kind: 'e-mail address', reason: 'who bought, as it was at issue' },
  'public.invoice.buyer.company.recipients': {
    kind: 'e-mail address',
    reason: 'who else gets the invoice, as it was at issue',
  },
  'public.invoice_replacement.company.recipients': {
    kind: 'e-mail address',
    reason: 'the same, of a replacement',
  },
  'public.buyer_details.details.recipients': {
    kind: 'e-mail address',
    reason: 'who else gets the invoices',
  },
  'public.legal_wording.html': { kind: 'e-mail address', reason: 'where the shop gives help' },
  'public.place_notice.email': { kind: 'e-mail address', reason: 'who waits for a sold-out place' },
  'public.invitation.email': { kind: 'e-mail address', reason: 'who is invited, until they accept' },
  'public.challenge.email': { kind: 'e-mail address', reason: 'where the code is mailed to' },
  'public.staff_preview.input.customer': { kind: 'e-mail address', reason: 'whom staff named, for a day' },
  'public.staff_preview.input.email': { kind: 'e-mail address', reason: 'the same' },
  'public.staff_preview.input.to': { kind: 'e-mail address', reason: 'the same' },
  'public.staff_preview.result.email': { kind: 'e-mail address', reason: 'the same' },
  'public.staff_preview.input.pool': {
    kind: 'IP address',
    reason: 'the range of a move that staff named, for a day',
  },
  'public.staff_preview.input.bind': { kind: 'IP address', reason: 'the same' },
  'public.staff_preview.result.todo': { kind: 'IP address', reason: 'how to route that range, for a day' },
  'public.app_user.email': { kind: 'e-mail address', reason: 'names the user' },
  'public.email_change.old_email': { kind: 'e-mail address', reason: 'what a change can be undone to' },
  'public.email_change.new_email': { kind: 'e-mail address', reason: 'what a user has changed to' },
  'public.audit_detail.detail.about': { kind: 'e-mail address', reason: 'whom an owner invited' },
  'public.app_user.password_hash': { kind: 'password hash', reason: 'Argon2id under a pepper' },
  'public.customer.password_hash': { kind: 'password hash', reason: 'Argon2id under a pepper' },
  'public.challenge.password_hash': { kind: 'password hash', reason: 'until the sign-up is finished' },
  'public.challenge.id': {
    kind: 'what looks like a token',
    reason: 'its flow: opens nothing without a code',
  },
  'pgboss.job.data.challengeId': { kind: 'what looks like a token', reason: 'the same flow' },
  'public.job_request.data.challengeId': { kind: 'what looks like a token', reason: 'the same flow' },
  'public.job_request.data.subjectId': { kind: 'what looks like a token', reason: 'tells letters apart' },
  'public.job_request.data.copy': { kind: 'what looks like a token', reason: 'tells letters apart' },
  'pgboss.job.data.copy': { kind: 'what looks like a token', reason: 'tells letters apart' },
  'pgboss.job.data.subjectId': { kind: 'what looks like a token', reason: 'tells letters apart' },
  'public.ceremony.id': { kind: 'what looks like a token', reason: 'opens nothing without a passkey' },
  'public.ceremony.challenge': { kind: 'what looks like a token', reason: 'what a passkey signs, once' },
  'public.attempt.counted_for': {
    kind: 'what looks like a token',
    reason: 'names of a day under which refusals are counted, gone when it is paid or closed',
  },
  'public.card_saving.counted_for': {
    kind: 'what looks like a token',
    reason: 'the same, for a day',
  },
  'public.allow_list.seed': {
    kind: 'what looks like a token',
    reason: 'opens nothing without a key that is not in the database',
  },
  'public.passkey.id': { kind: 'what looks like a token', reason: 'its public name' },
  'public.static_ip.bind_address': { kind: 'IP address', reason: 'what we sell, not who uses it' },
  'public.invoice_line.text.address': { kind: 'IP address', reason: 'what was sold, until the account ends' },
  'public.static_ip.address': { kind: 'IP address', reason: 'what we sell, not who uses it' },
  'public.static_ip.pool_id': { kind: 'IP address', reason: 'the range that it is of' },
  'public.address_pool.id': { kind: 'IP address', reason: 'what we sell' },
  'public.address_pool.prefix': { kind: 'IP address', reason: 'what we sell' },
  'public.address_pool.prefix6': { kind: 'IP address', reason: 'what we sell' },
  'public.assignment.address': { kind: 'IP address', reason: 'what we sell, not who uses it' },
  'public.host.machine': { kind: 'IP address', reason: 'of a VPN host' },
  'public.host.own_addresses': { kind: 'IP address', reason: 'of a VPN host, and its router’s' },
  'pgboss.job.data.poolId': { kind: 'IP address', reason: 'the range that moves' },
  'pgboss.job.singleton_key': { kind: 'IP address', reason: 'the range that moves' },
  'public.host.dns': { kind: 'IP address', reason: 'resolvers of a VPN host' },
};

/** Whether a place (`schema.table.column`, then the member's name) may hold a kind. */
export const mayHold = (place: string, kind: Kind): boolean => places[place]?.kind === kind;
