/** Reads and writes as the owner of the database: `shop.db` of Kysely and a `pg` client both fit. */
export type Run = (text: string, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;

/**
 * Copies one row `$2` times, numbered from `$3` on.
 * @param change SQL of the columns that differ, where `n` is the number of the copy
 */
async function copyRow(
  run: Run,
  table: string,
  change: Record<string, string>,
  [id, count, from]: readonly [string, number, number],
): Promise<void> {
  const columns = await run(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const changes = Object.entries(change).map(([column, value]) => `'${column}', ${value}`);
  await run(
    `insert into ${table} (${names}) select ${names}
     from generate_series($3::int, $3::int + $2::int - 1) as n, lateral jsonb_populate_record(
       null::${table}, (select to_jsonb(src) from ${table} src where id = $1) || jsonb_build_object(${changes}))`,
    [id, count, from],
  );
}

/** SQL: the id of a numbered copy, which differs from the first before the number too. */
const idOf = (first: string, n = 'n'): string =>
  `'${first.slice(0, -5)}${first.at(-5) === '0' ? '1' : '0'}' || lpad((${n})::text, 4, '0')`;

/**
 * Gives a customer, who has bought one subscription, `count` of them, each with an address of its
 * own, a label (`Office 007`) and paid invoices: copies of the first one's rows. No host runs the
 * copies, and none of them renews.
 * @param of `invoicesEach`: of each, including the one that was really bought
 * @example await givenLargeAccount(run, { subscriptionId, count: 40, invoicesEach: 5 })
 */
export async function givenLargeAccount(
  run: Run,
  of: { subscriptionId: string; count: number; invoicesEach: number },
): Promise<void> {
  const { subscriptionId: first, count, invoicesEach } = of;
  const [own] = await run(
    `select s.order_id as "orderId", s.customer_id as "customerId", i.id as "invoiceId", i.series,
       ip.pool_id as "poolId", (select max(serial) from invoice same where same.series = i.series) as serial
     from subscription s join invoice i on i.subscription_id = s.id
       join static_ip ip on ip.subscription_id = s.id
     where s.id = $1 and i.purpose = 'purchase'`,
    [first],
  );
  const { orderId, customerId, invoiceId, series, poolId } = own as Record<string, string>;
  const serial = Number(own!.serial);
  const order = idOf(orderId!);
  const copies = [count - 1, 2] as const;
  const [{ taken } = {}] = await run(
    `select count(*)::int as taken from static_ip where address << '198.18.0.0/15'`,
    [],
  );
  await copyRow(
    run,
    'shop_order',
    { id: order, token_hash: `'\\x' || encode(sha256((${order})::bytea), 'hex')` },
    [orderId!, ...copies],
  );
  await copyRow(
    run,
    'subscription',
    { id: idOf(first), order_id: order, label: `'Office ' || lpad(n::text, 3, '0')`, due_at: 'null' },
    [first, ...copies],
  );
  await run(
    `insert into static_ip (address, pool_id, bind_address, subscription_id, customer_id)
     select address, $2, address, ${idOf(first)}, $3
     from generate_series(2, $1::int) as n, lateral (
       select '198.18.0.0'::inet + n + $4::int as address) as numbered`,
    [count, poolId, customerId, taken],
  );
  // Copy n is of the subscription number n / invoicesEach + 1; the first of each is its purchase.
  const nth = `n / ${invoicesEach} + 1`;
  const isPurchase = `n % ${invoicesEach} = 0`;
  const at = `(select paid_at from invoice where id = $1) - (n % ${invoicesEach}) * interval '30 days'`;
  const number = `'${series}-' || lpad((n + ${serial})::text, 6, '0')`;
  await copyRow(
    run,
    'invoice',
    {
      id: idOf(invoiceId!),
      order_id: `case when ${isPurchase} then ${idOf(orderId!, nth)} end`,
      purpose: `case when ${isPurchase} then 'purchase' else 'renewal' end`,
      subscription_id: `case when n < ${invoicesEach} then '${first}' else ${idOf(first, nth)} end`,
      reference: number,
      serial: `n + ${serial}`,
      number,
      created_at: at,
      issued_at: at,
      paid_at: at,
    },
    [invoiceId!, count * invoicesEach - 1, 1],
  );
  await run(
    `insert into invoice_line
     select (jsonb_populate_record(null::invoice_line, to_jsonb(line) || jsonb_build_object('invoice_id', ${idOf(invoiceId!)}))).*
     from invoice_line line, generate_series(1, $2::int) as n where invoice_id = $1`,
    [invoiceId, count * invoicesEach - 1],
  );
  await run('update number_series set last = $2 where series = $1', [
    series,
    serial + count * invoicesEach - 1,
  ]);
}
