import { join } from 'node:path';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { enrolmentToken } from '@fixpoint/dev-stack/region.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { beginOrder, logInByEmail, PASSWORD, type Place, until } from '../buyer.ts';
import { createClient, type TestClient } from '../client.ts';
import { startFakeHost } from '../fake-host.ts';
import type { Target } from './attacks.ts';
import { createSender } from './raw-requests.ts';

/** Starts a whole shop with production limits, an attacker's account in it and a host. */
export async function startTarget(
  dataDir: string,
  solveHumanCheck: (shop: Place & { client: TestClient }) => Promise<string>,
): Promise<{ target(): Promise<Target>; metricsUrl: string; stack: Stack; stop(): Promise<void> }> {
  const metricsPort = await freePort();
  const env = { METRICS_PORT: String(metricsPort), TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' };
  const stack = await startStack({ dataDir, durable: false, env });
  const agentSocket = join(dataDir, 'agent.sock');
  const forToken = { ...basicEnv(), ...databaseSettings(stack.databaseUrls), DATA_DIR: dataDir };
  const host = await startFakeHost({ socketPath: agentSocket }, await enrolmentToken(root, forToken));
  const place: Place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  const client = createClient(stack.url);
  const { ask, close } = createSender(stack.url);
  const { metadata, consent } = await beginOrder(client);
  const { reference, productId } = parseMetadata(metadata)!;
  const customer = await createAttacker(place, client);
  return {
    /** Logs the attacking customer in again, because their token expires. */
    async target() {
      const login = await client.auth.login({ body: { email: customer.email, password: PASSWORD } });
      return {
        url: stack.url,
        agentSocket,
        send: ask,
        host: host.identity,
        customer: { ...customer, token: login.token! },
        order: { metadata, token: socketToken(reference), productId, termsVersion: consent.termsVersion },
        solveHumanCheck: () => solveHumanCheck({ ...place, client }),
      };
    },
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    stack,
    async stop() {
      close();
      await host.stop();
      await stack.stop();
    },
  };
}

/** Creates a customer with a key. */
async function createAttacker(place: Place, visitor: TestClient): Promise<Omit<Target['customer'], 'token'>> {
  const email = 'attacker@example.com';
  const { consent, metadata } = await beginOrder(visitor);
  await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await visitor.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  const subscriptionId = await until(
    async () => {
      const { data } = await visitor.order.purchaseData({ body: { metadata } });
      return data?.subscription?.status === 'active' && data.subscription.id;
    },
    'the subscription',
    30_000,
  );
  const { client } = await logInByEmail(place, email);
  const { data: key } = await client.subscription.addKey({ body: { subscriptionId, name: 'own' } });
  return { email, subscriptionId, keyId: key!.id };
}
