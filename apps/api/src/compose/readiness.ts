import { canRender, type Machine } from '../adapters/typst/document-renderer.ts';
import type { Env } from '../env/env.ts';
import { catalogueLacks, placeId, readCatalogue } from '../modules/catalog/index.ts';
import { hasPayments } from '../modules/payment/index.ts';
import { placesWithHost } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';

/** What the machine lacks. The shop sells without it, and customers get no documents. */
export const machineLacks = (machine: Machine = process): string[] =>
  canRender(machine)
    ? []
    : [
        `Typst is not installed for this machine (${machine.platform} ${machine.arch}): emails are sent without PDFs, and ` +
          'the pages offer none. Run the shop on Linux or macOS, x64 or arm64, and run npm ci there.',
      ];

/**
 * What this shop lacks before its first sale, and what to do, one sentence each. Its settings are not among it: a
 * shop without those does not start.
 */
export async function lacksOf(
  db: Db,
  env: Pick<Env, 'SALE_COUNTRY' | 'DEFAULT_CURRENCY'>,
): Promise<string[]> {
  const catalogue = await readCatalogue(db);
  const offer = { country: env.SALE_COUNTRY, currency: env.DEFAULT_CURRENCY };
  const lacks = [...catalogueLacks(catalogue, offer), ...machineLacks()];
  const hosted = await placesWithHost(db);
  for (const place of catalogue.places) {
    const { provider, region, vendor, waitingList } = place;
    const has = hosted.some(
      host => host.providerId === provider && host.regionId === region && host.vendorId === vendor,
    );
    if (has) continue;
    const so = waitingList ? 'who buys there waits for one' : 'nobody can buy there';
    lacks.push(
      `No VPN host has enrolled for the place ${placeId(place)}: ${so}. ` +
        `Name one: npm run shop -- host add --host ID --provider ${provider} --region ${region} --vendor ${vendor} --pool A.B.C.0/24`,
    );
  }
  return lacks;
}

/**
 * Payments of this shop whose provider it has no settings for any more: what of their money still comes, is to go back or
 * is disputed would not be seen, one sentence for each method.
 */
export async function strandedIn(
  db: Db,
  env: Pick<Env, 'PAYPAL_CLIENT_ID' | 'BTCPAY_URL'>,
): Promise<string[]> {
  const missing = [
    ...(env.PAYPAL_CLIENT_ID ? [] : (['paypal'] as const)),
    ...(env.BTCPAY_URL ? [] : (['bitcoin'] as const)),
  ];
  const stranded: string[] = [];
  for (const method of missing)
    if (await hasPayments(db, method))
      stranded.push(
        `There are payments by ${method}, and its settings are missing: what is on its way, refunded or disputed of them is ` +
          `not followed. Set them again, and RETIRED_METHODS=${method} where nobody is to pay by it any more.`,
      );
  return stranded;
}
