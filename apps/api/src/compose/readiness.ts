import { canRender, type Machine } from '../adapters/typst/document-renderer.ts';
import type { Env } from '../env/env.ts';
import { enabledMethods } from '../env/payment-methods.ts';
import { catalogueLacks, placeId, readCatalogue } from '../modules/catalog/index.ts';
import { hasPayments } from '../modules/payment/index.ts';
import { placesWithHost } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';
import { displayWarnings } from './undisplayable-texts.ts';

/** Warns where the machine cannot render documents. The shop sells without them. */
export const machineWarnings = (machine: Machine = process): string[] =>
  canRender(machine)
    ? []
    : [
        `Typst is not installed for this machine (${machine.platform} ${machine.arch}): emails are sent without PDFs, and ` +
          'customers cannot download any. Run the shop on Linux or macOS, x64 or arm64. Then run: npm ci',
      ];

/**
 * Warnings about everything that this shop lacks for its first sale, each with a remedy. Missing settings are not among them:
 * without those a shop does not start.
 */
export async function readinessWarnings(
  db: Db,
  env: Pick<
    Env,
    'SALE_COUNTRY' | 'DEFAULT_CURRENCY' | 'BRAND_NAME' | 'COMPANY_NAME' | 'COMPANY_ADDRESS' | 'COMPANY_TAX_ID'
  > &
    Parameters<typeof enabledMethods>[0],
): Promise<string[]> {
  const catalogue = await readCatalogue(db);
  const methods = enabledMethods(env);
  const offer = { country: env.SALE_COUNTRY, currency: env.DEFAULT_CURRENCY, methods };
  const lacks = [
    ...catalogueLacks(catalogue, offer),
    ...machineWarnings(),
    ...(await displayWarnings(db, env, catalogue)),
  ];
  const hosted = await placesWithHost(db);
  for (const place of catalogue.places) {
    const { provider, region, vendor, waitingList } = place;
    const has = hosted.some(
      host => host.providerId === provider && host.regionId === region && host.vendorId === vendor,
    );
    if (has) continue;
    const effect = waitingList ? 'customers there have to wait for one' : 'nobody can buy there';
    lacks.push(
      `No VPN host has enrolled at ${placeId(place)}: ${effect}. ` +
        `Add one: npm run shop -- host add --host ID --provider ${provider} --region ${region} --vendor ${vendor} --pool A.B.C.0/24`,
    );
  }
  return lacks;
}

/**
 * Warnings about payment methods that have payments but no settings any more. Late money, refunds and disputes of those would
 * go unnoticed.
 */
export async function strandedPayments(
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
        `The settings of ${method} are missing, but there are payments by it: late money, refunds and disputes are not followed. ` +
          `Restore the settings. To stop new payments by it, set RETIRED_METHODS=${method}.`,
      );
  return stranded;
}
