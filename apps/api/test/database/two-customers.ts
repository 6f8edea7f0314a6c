import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';

/** Two customers, and the owner of guests' rows. */
export const [ANNA, BEN, NOBODY] = ['cus_anna', 'cus_ben', null] as const;
export type Owner = typeof ANNA | typeof BEN | typeof NOBODY;

export type Column = { name: string; type: string; nullable: boolean; written: boolean };
export type Row = Record<string, unknown>;

/** Tables whose rows belong to whoever has their email address. */
export const ownedByAddress = ['place_notice'];
/** Tables of the owners themselves. */
export const owners = ['customer', 'app_user'];
export const addressOf = (owner: Owner): string => `${owner ?? 'guest'}@example.com`;

/** Values that the checks of a table need; every other column gets a value of its type. */
const wanted: Record<string, (owner: Owner) => Row> = {
  account_credit: () => ({ currency: 'THB' }),
  address_pool: () => ({
    prefix: `10.${randomBytes(1)[0]}.${randomBytes(1)[0]}.0/24`,
    routing: 'static',
    prefix6: null,
  }),
  alert_delivery: () => ({ event: 'digest', kind: null, subject: null, opening: null, summary_id: null }),
  audit_detail: () => ({ seq: randomBytes(5).readUIntBE(0, 5) }),
  audit_entry: () => ({ seq: randomBytes(5).readUIntBE(0, 5) + 1, phase: 'done' }),
  app_user: owner => ({ id: owner, email: addressOf(owner), status: 'active' }),
  assignment: () => ({ status: 'up' }),
  attempt: () => ({ method: 'card', status: 'succeeded' }),
  block_entry: () => ({ kind: 'email' }),
  ceremony: owner => ({ purpose: owner ? 'stepUp' : 'login' }),
  challenge: owner => ({
    purpose: owner ? 'changePassword' : 'resetPassword',
    password_hash: null,
    tries: 1,
  }),
  credit_note: () => ({ net: 1, vat: 1, total: 2, credited: true, dispute_id: null, prorated: false }),
  customer: owner => ({ id: owner, email: `${owner}@example.com`, status: 'active', founder_id: null }),
  device_allowance: owner => ({ user_id: owner, subscription_id: `sub-of-${owner}` }),
  dispute: () => ({ status: 'open', credit_taken: 0 }),
  document: () => ({
    kind: 'receipt',
    credit_note_id: null,
    pdf: Buffer.of(),
    sha256: createHash('sha256').digest('hex'),
  }),
  foreign_money: () => ({ provider: 'stripe' }),
  goodwill: () => ({ currency: 'THB' }),
  host: () => ({ status: 'active' }),
  pending_change: owner => (owner ? {} : { subscription_id: null }),
  taken_addresses: () => ({ day: '2026-11-20' }),
  host_authority: () => ({ id: true }),
  invoice: owner => ({
    purpose: 'purchase',
    status: owner ? 'open' : 'draft',
    net: 1,
    vat: 1,
    total: 2,
    credit_used: 0,
    number: null,
    series: null,
    serial: null,
    paid_at: null,
    period_start: null,
    period_end: null,
    buyer_is: 'known',
  }),
  invoice_line: () => ({ net: 1, vat: 1, total: 2 }),
  invitation: owner => ({
    email: `${randomBytes(4).toString('hex')}@example.com`,
    role: 'buyer',
    invited_by: owner ?? ANNA,
  }),
  job_request: owner => ({ name: 'sendEmail', data: { template: 'receipt', customerId: owner } }),
  key_usage: () => ({ month: '2026-11' }),
  key_usage_day: () => ({ day: '2026-11-20' }),
  ledger_entry: owner => ({ account: owner ? 'credit' : 'revenue', provider: null }),
  link_token: () => ({ purpose: 'setPassword' }),
  method_to_forget: () => ({ method: 'card' }),
  membership: () => ({ role: 'owner' }),
  migration: () => ({ kind: 'expand' }),
  node: () => ({ role: 'worker' }),
  gateway_movement: () => ({
    provider: 'stripe',
    kind: 'payout',
    sold_currency: null,
    sold_amount: null,
    rate: null,
  }),
  gateway_customer: () => ({ provider: 'stripe' }),
  legal_wording: () => ({ document: 'terms' }),
  place_notice: owner => ({ email: addressOf(owner) }),
  plan_price: () => ({ currency: 'THB', cycle_count: 1 }),
  product: () => ({ cycle_count: 1 }),
  reconciliation: () => ({ provider: 'stripe' }),
  refund: () => ({ reason: 'staff', status: 'pending', dispute_id: null }),
  provider_event: () => ({ about: 'payment' }),
  region: () => ({ country: 'TH' }),
  saved_method: () => ({ method: 'card', account: null }),
  session: owner => ({ user_id: owner, role: 'owner' }),
  shop_order: owner => ({
    status: owner ? 'paid' : 'draft',
    price: 2,
    net: 1,
    vat: 1,
    payment_method: 'card',
    replacement: null,
    email: `${owner ?? 'guest'}@example.com`,
  }),
  static_ip: owner => ({
    address: `203.0.113.${randomBytes(1)[0]}`,
    bind_address: '10.0.0.9',
    cooldown_until: null,
    ...(owner ? {} : { subscription_id: null, reserved_until: null }),
  }),
  subscription: () => ({ status: 'active' }),
  suspension: () => ({ cause: 'staff', lifted_at: null, lifted_by_staff: false }),
  subscription_period: () => ({ ends_at: '2027-01-01T00:00:00Z' }),
  usage_notice: () => ({ month: '2026-11', percent: 80 }),
  vpn_key: () => ({ name: 'phone', address: 2, device: 'ios', forwarded_port: 8080 }),
};

/** Creates a row of a table for an owner, whatever its columns are. */
export function rowFor(table: string, columns: Column[], owner: Owner): Row {
  const id = () => `${table}-${randomBytes(4).toString('hex')}`;
  const values: Record<string, () => unknown> = {
    text: id,
    int4: () => 1,
    int8: () => 1,
    float8: () => 1,
    bool: () => true,
    jsonb: () => ({}),
    timestamptz: () => '2026-11-20T00:00:00Z',
    date: () => '2026-11-20',
    bytea: () => randomBytes(8),
    _text: () => ['x'],
    _inet: () => ['10.0.0.1'],
    inet: () => '10.0.0.1',
    cidr: () => '10.0.0.0/24',
  };
  const own = wanted[table]?.(owner) ?? {};
  const cells = columns
    .filter(({ written }) => written)
    .map(({ name, type }) => {
      if (name === 'customer_id' || (name === 'user_id' && table === 'email_change')) return [name, owner];
      return [name, name in own ? own[name] : values[type]!()];
    });
  return Object.fromEntries(cells);
}

/** Reads the shop's tables and their columns. */
export async function columnsOf(admin: Client): Promise<Map<string, Column[]>> {
  const { rows } = await admin.query<Column & { table: string }>(
    `select c.relname as "table", a.attname as name, t.typname as type, not a.attnotnull as nullable,
       a.attidentity = '' and a.attgenerated = '' as written
     from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
  );
  return Map.groupBy(rows, ({ table }) => table);
}

/** Statement and values that insert a row. */
export const insertion = (table: string, row: Row): { text: string; values: unknown[] } => ({
  text: `insert into "${table}" (${Object.keys(row).join(', ')})
    values (${Object.keys(row)
      .map((_, index) => `$${index + 1}`)
      .join(', ')})`,
  values: Object.values(row),
});

/** Inserts a row of each owner into every table, without the referenced rows, because only rights are tested. */
export async function fill(admin: Client, tables: Map<string, Column[]>): Promise<void> {
  await admin.query("set session_replication_role = 'replica'");
  for (const [table, columns] of tables) {
    const owner =
      columns.find(({ name }) => name === 'customer_id') ?? columns.find(({ name }) => name === 'user_id');
    const rowsOf =
      owners.includes(table) || owner || ownedByAddress.includes(table)
        ? [ANNA, BEN, ...(owner?.nullable ? [NOBODY] : [])]
        : [NOBODY];
    for (const one of rowsOf) {
      const { text, values } = insertion(table, rowFor(table, columns, one));
      // A table whose only row the migration has written keeps that row.
      await admin.query({ text: `${text} on conflict do nothing`, values });
    }
  }
  await admin.query("set session_replication_role = 'origin'");
}
