import { createHash, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import Fastify from 'fastify';
import pg from 'pg';

/*
 * Baseline for the calls: the same rows by hand-written SQL on the same database, without row-level security, limits or
 * validation of requests and responses.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const app = Fastify({ logger: false });
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const SESSION = `select s.id, c.id as customer_id from session s join customer c on c.id = s.customer_id
  where access_hash = $1 and access_expires_at > now() and expires_at > now() and ended_at is null and c.status = 'active'`;
const SUBSCRIPTIONS = `select s.*, p.plan_id, p.region_id, provider.name as provider, region.name as region, region.country,
    vendor.name as vendor, host.seen_at, host(ip.address) as address, count(*) over ()::int as total,
    (select count(*)::int from vpn_key k where k.subscription_id = s.id and deleted_at is null) as keys,
    (select coalesce(sum(down_bytes + up_bytes), 0)::bigint from key_usage u join vpn_key k on k.id = u.key_id
      where k.subscription_id = s.id and u.month = $2) as usage
  from subscription s join product p on p.id = s.product_id join provider on provider.id = p.provider_id
    join region on region.id = p.region_id join vendor on vendor.id = p.vendor_id
    left join static_ip ip on ip.subscription_id = s.id
    left join assignment a on a.subscription_id = s.id and a.status <> 'leaving' left join host on host.id = a.host_id
  where s.customer_id = $1 order by s.created_at desc limit 20`;
const PROFILE = `select c.id, email, language, created_at, password_hash is not null as has_password, t.confirmed_at,
    (select count(*)::int from recovery_code r where r.customer_id = c.id) as codes,
    (select count(*)::int from passkey p where p.customer_id = c.id) as passkeys
  from customer c left join totp t on t.customer_id = c.id and t.confirmed_at is not null where c.id = $1`;
const INVOICES = `select i.*, l.text, o.payment_method, count(*) over ()::int as total_count from invoice i
    join invoice_line l on l.invoice_id = i.id and l.position = 1 left join shop_order o on o.id = i.order_id
  where i.customer_id = $1 and i.issued_at is not null order by i.issued_at desc, i.serial desc limit 20`;
const PLANS =
  'select p.*, r.* from plan p join plan_price r on r.plan_id = p.id where category = $1 and currency = $2';
const PRODUCT = `select p.id, p.plan_id, plan.category, r.price, r.renewal, t.rate_bp,
    exists (select from static_ip ip join address_pool a on a.id = ip.pool_id where ip.subscription_id is null
      and a.provider_id = p.provider_id and a.region_id = p.region_id and a.vendor_id = p.vendor_id) as free
  from product p join plan on plan.id = p.plan_id
    join plan_price r on r.plan_id = p.plan_id and r.cycle_count = p.cycle_count and r.currency = $2
    join vat_rate t on t.country = 'TH'
  where p.id = $1`;
const ORDER = `insert into shop_order (id, token_hash, check_hash, status, category, product_id, entitlements, currency, price, net, vat,
    vat_rate_bp, renewal, first_year, created_at, expires_at)
  values ($1, $2, $3, 'draft', $4, $5, '{}', 'THB', $6, $7, $8, $9, $10, false, now(), now() + interval '1 day')`;
// Beginning an order also counts orders per hour and address.
const LIMIT = `insert into limit_count (key, count, ends_at, next_at) values ($1, 1, now() + interval '1 hour', now())
  on conflict (key) do update set count = limit_count.count + 1 returning count`;

const query = async (name: string, text: string, values: unknown[]) =>
  (await pool.query({ name, text, values })).rows;
const customerOf = async (request: { headers: { authorization?: string } }): Promise<string> => {
  const token = request.headers.authorization!.slice('Bearer '.length);
  const [session] = await query('session', SESSION, [createHash('sha256').update(token).digest()]);
  return session.customer_id;
};

app.get('/hello', async () => ({ code: '0000', data: 'hello' }));
// The size of the compressed texts of a language.
const bytes = randomBytes(Number(process.argv[3]));
app.get('/bytes', (_request, reply) => reply.header('content-encoding', 'br').send(bytes));
app.post('/mySubscription', async request => ({
  code: '0000',
  data: await query('list', SUBSCRIPTIONS, [await customerOf(request), new Date().toISOString().slice(0, 7)]),
}));
app.get('/profile', async request => ({
  data: await query('profile', PROFILE, [await customerOf(request)]),
}));
app.get('/myBilling', async request => ({
  data: await query('bills', INVOICES, [await customerOf(request)]),
}));
app.post('/order', async request => {
  const { productId } = request.body as { productId: string };
  const [reference, check] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const hash = (text: string) => createHash('sha256').update(text).digest();
  await query('limit', LIMIT, [hash(`bare ${request.headers['x-forwarded-for']}`)]);
  const [product] = await query('product', PRODUCT, [productId, 'THB']);
  const vat = Math.round((product.price * product.rate_bp) / (10_000 + product.rate_bp));
  const price = [product.price, product.price - vat, vat, product.rate_bp, product.renewal];
  const row = [`ord_${randomBytes(10).toString('hex')}`, hash(reference), hash(check), product.category];
  await query('order', ORDER, [...row, productId, ...price]);
  return { code: '0000', data: { reference, check } };
});
app.get('/getAllPlan', async () => ({ code: '0000', data: await query('plans', PLANS, ['vpn', 'THB']) }));

// Password checks alone: without a limit, and with the shop's limit of concurrent ones.
const stored = await hash('password', COST);
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1));
let free = atOnce;
const waiting: (() => void)[] = [];
app.post('/argon2', async () => ({ data: await verify(stored, 'password') }));
app.post('/argon2-in-turn', async () => {
  if (free > 0) free -= 1;
  else await new Promise<void>(next => waiting.push(next));
  const data = await verify(stored, 'password').finally(() => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  });
  return { data, session: randomBytes(16).toString('hex') };
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
process.once('disconnect', () => process.exit(0));
