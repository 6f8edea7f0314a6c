import { onlineSince } from '@fixpoint/domain/host/host.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Db } from '../../ports/database.ts';
import type { PlanEntitlements } from '../../ports/json-columns.ts';
import { hasRoom } from './has-room.ts';
import { vatRateOn } from './vat-rates.ts';

export type Product = PlanEntitlements & {
  id: string;
  planId: string;
  category: string;
  cycleCount: 1 | 3 | 6 | 12;
  providerId: string;
  regionId: string;
  vendorId: string;
};

/** Picks the entitlements of a plan. */
export const entitlementsOf = ({
  devices,
  dataTransferGb,
  rateMbit,
  portForward,
}: PlanEntitlements): PlanEntitlements => ({
  devices,
  dataTransferGb,
  rateMbit,
  portForward,
});

/** Product with its price: first cycle with VAT, and gross price of later cycles. */
export type Quote = {
  product: Product;
  currency: string;
  price: number;
  net: number;
  vat: number;
  vatRateBp: number;
  renewal: number;
  firstYear: boolean;
};

const productQuery = (db: Db) =>
  db
    .selectFrom('product')
    .innerJoin('plan', 'plan.id', 'product.plan_id')
    .innerJoin('offer', join =>
      join
        .onRef('offer.provider_id', '=', 'product.provider_id')
        .onRef('offer.region_id', '=', 'product.region_id')
        .onRef('offer.vendor_id', '=', 'product.vendor_id'),
    )
    .select([
      'product.id',
      'product.plan_id as planId',
      'plan.category',
      'product.cycle_count as cycleCount',
      'product.provider_id as providerId',
      'product.region_id as regionId',
      'product.vendor_id as vendorId',
      'plan.devices',
      'plan.data_transfer_gb as dataTransferGb',
      'plan.rate_mbit as rateMbit',
      'plan.port_forward as portForward',
    ]);

/** Product on an invoice; `place`: the operator's name of its region. */
export type SoldProduct = Product & { place: string };

const soldQuery = (db: Db) =>
  productQuery(db).innerJoin('region', 'region.id', 'product.region_id').select('region.name as place');

/** Product as an invoice names it, even if it is no longer for sale. */
export const soldProduct = async (db: Db, id: string): Promise<SoldProduct> =>
  (await soldQuery(db).where('product.id', '=', id).executeTakeFirstOrThrow()) as SoldProduct;

/** The same as a column of a row that refers to a product. @param column its ID, as `table.column` */
export const soldProductOf = (db: Db, column: string) =>
  jsonObjectFrom(soldQuery(db).where('product.id', '=', sql.ref<string>(column))).$castTo<SoldProduct>();

/** Product by ID, even if it is no longer for sale. */
export const productById = async (db: Db, id: string): Promise<Product | undefined> =>
  (await productQuery(db).where('product.id', '=', id).executeTakeFirst()) as Product | undefined;

/** Product with the entitlements that were agreed at order time. */
export const productAsAgreed = async (
  db: Db,
  id: string,
  entitlements: PlanEntitlements,
): Promise<Product> => ({
  ...(await productById(db, id))!,
  ...entitlements,
});

/** `today`: the day in the country. */
type Sale = { country: string; currency: string; today: string };

/** Products for sale, each row with everything that a quote needs. */
const forSale = (db: Db, { country, currency, today }: Sale) =>
  productQuery(db)
    .innerJoin('plan_price as cost', join =>
      join
        .onRef('cost.plan_id', '=', 'product.plan_id')
        .onRef('cost.cycle_count', '=', 'product.cycle_count')
        .on('cost.currency', '=', currency),
    )
    .select(['cost.price', 'cost.renewal', vatRateOn(country, today).as('vatRateBp')])
    .where('plan.active', '=', true)
    .where('offer.active', '=', true);

type Named = Sale & { productId: string };
const named = (db: Db, { productId, country, currency, today }: Named) =>
  forSale(db, { country, currency, today }).where('product.id', '=', productId);

type Choice = Pick<Product, 'planId' | 'cycleCount' | 'providerId' | 'regionId' | 'vendorId'>;
const chosen = (db: Db, { country, currency, today, ...choice }: Sale & Choice) =>
  forSale(db, { country, currency, today })
    .where('product.plan_id', '=', choice.planId)
    .where('product.cycle_count', '=', choice.cycleCount)
    .where('product.provider_id', '=', choice.providerId)
    .where('product.region_id', '=', choice.regionId)
    .where('product.vendor_id', '=', choice.vendorId);

type Row = Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number];

/** Undefined without a rate of VAT: then nothing is for sale. */
function quoteOf(currency: string, { price, renewal, vatRateBp, ...product }: Row): Quote | undefined {
  if (vatRateBp === null) return undefined;
  return {
    product: product as Product,
    ...withVat(currency, price, vatRateBp),
    vatRateBp,
    renewal,
    firstYear: product.cycleCount === 12 && price < renewal,
  };
}

/** Present price of a product. Undefined when it is not for sale. */
export async function quote(
  db: Db,
  now: Date,
  country: string,
  currency: string,
  choice: { productId: string } | Choice,
): Promise<Quote | undefined> {
  const sale = { country, currency, today: dayIn(country, now) };
  const query =
    'productId' in choice ? named(db, { ...sale, ...choice }) : chosen(db, { ...sale, ...choice });
  const row = await query.executeTakeFirst();
  return row && quoteOf(currency, row);
}

type Asked = Named & { now: Date; heard: Date };

/** Named product, if its place has room or a waiting list. */
const buyable = (db: Db, { now, heard, ...name }: Asked) =>
  named(db, name).where(eb => eb.or([eb.ref('offer.waiting_list'), hasRoom(now, heard)]));

const readOffered = prepareQuery((db, { productId, country, currency, today, now, heard }: Asked) =>
  buyable(db, { productId, country, currency, today, now, heard }),
);

/** Present price of a product whose place has room or a waiting list. One statement, because every order starts with it. */
export async function offered(
  db: Db,
  now: Date,
  country: string,
  currency: string,
  productId: string,
): Promise<Quote | undefined> {
  const today = dayIn(country, now);
  const [row] = await readOffered(db, { productId, country, currency, today, now, heard: onlineSince(now) });
  return row && quoteOf(currency, row);
}
