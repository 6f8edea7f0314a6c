import { withVat } from '@fixpoint/domain/kernel/money.ts';
import type { Db } from '../../ports/database.ts';

export type Product = {
  id: string;
  planId: string;
  category: string;
  cycleCount: 1 | 3 | 6 | 12;
  providerId: string;
  regionId: string;
  vendorId: string;
  devices: number;
  dataTransferGb: number;
  rateMbit: number;
};

/** A product and what it costs: the first cycle with its VAT, and the gross price of every later one. */
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
    ]);

/** A product, sold now or earlier. */
export const productById = async (db: Db, id: string): Promise<Product | undefined> =>
  (await productQuery(db).where('product.id', '=', id).executeTakeFirst()) as Product | undefined;

/** The VAT rate of the country of sale in basis points; without one nothing is for sale. */
export async function vatRateOf(db: Db, country: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('vat_rate')
    .select('rate_bp')
    .where('country', '=', country)
    .executeTakeFirst();
  return row?.rate_bp;
}

/** The present price of a product that is for sale; undefined when it is not. */
export async function quote(
  db: Db,
  saleCountry: string,
  currency: string,
  choice:
    | { productId: string }
    | Pick<Product, 'planId' | 'cycleCount' | 'providerId' | 'regionId' | 'vendorId'>,
): Promise<Quote | undefined> {
  let query = productQuery(db).where('plan.active', '=', true).where('offer.active', '=', true);
  query =
    'productId' in choice
      ? query.where('product.id', '=', choice.productId)
      : query
          .where('product.plan_id', '=', choice.planId)
          .where('product.cycle_count', '=', choice.cycleCount)
          .where('product.provider_id', '=', choice.providerId)
          .where('product.region_id', '=', choice.regionId)
          .where('product.vendor_id', '=', choice.vendorId);
  const product = (await query.executeTakeFirst()) as Product | undefined;
  if (!product) return undefined;
  const price = await db
    .selectFrom('plan_price')
    .select(['price', 'renewal'])
    .where('plan_id', '=', product.planId)
    .where('cycle_count', '=', product.cycleCount)
    .where('currency', '=', currency)
    .executeTakeFirst();
  if (!price) return undefined;
  const vatRateBp = await vatRateOf(db, saleCountry);
  if (vatRateBp === undefined) return undefined;
  const firstYear = product.cycleCount === 12 && price.price < price.renewal;
  return {
    product,
    ...withVat(currency, price.price, vatRateBp),
    vatRateBp,
    renewal: price.renewal,
    firstYear,
  };
}
