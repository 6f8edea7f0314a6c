import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { btcpaySignature } from '../btcpay/sender.ts';
import { startSandbox } from '../start.ts';
import { createBtcpayChecker } from './btcpay-published.ts';
import { checkBtcpayAnswer } from './btcpay-schema.ts';
import { providerOptions } from './provider-options.ts';

const CONTROL = 'control-token-of-the-harness';
const { token: TOKEN, storeId, webhook } = providerOptions('http://127.0.0.1').btcpay;
export const STORE = storeId;

/** BTCPay's own description of a release, if available; it is not part of this repository. */
const { BTCPAY_OPENAPI } = process.env;
const published = BTCPAY_OPENAPI ? createBtcpayChecker(BTCPAY_OPENAPI) : undefined;

export type Told = { type: string; deliveryId: string; originalDeliveryId: string; [name: string]: unknown };

/** A running sandbox of BTCPay with a shop that collects its webhooks, on a test's clock. */
export async function startBtcpayHarness() {
  let now = Date.parse('2026-11-20T05:00:00Z');
  const told: Told[] = [];
  const forged: string[] = [];
  /** Answers of the shop to the next webhooks; 200 once the list is empty. */
  const answers: number[] = [];
  /** Emitted objects that do not match BTCPay's own description. */
  const wrong: string[] = [];
  const shop = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const status = answers.shift() ?? 200;
      if (request.headers['btcpay-sig'] !== btcpaySignature(webhook.secret, body)) forged.push(body);
      else {
        told.push(JSON.parse(body));
        wrong.push(...(published?.event(told.at(-1)!) ?? []));
      }
      reply.writeHead(status).end();
    });
  });
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    clock: { now: () => new Date(now) },
    secretKey: 'sk_test_h',
    publishableKey: 'pk_test_h',
    webhookSecret: 'whsec_h',
    webhookUrl: shopUrl,
    controlToken: CONTROL,
    shopOrigins: [shopUrl],
    ...providerOptions(shopUrl),
    onBtcpayAnswer: exchange =>
      wrong.push(...checkBtcpayAnswer(exchange), ...(published?.exchange(exchange) ?? [])),
  });
  const ask = async (path: string, body?: unknown, more: { method?: string; token?: string } = {}) => {
    const answer = await fetch(`${sandbox.url}/api/v1/${path}`, {
      method: more.method ?? (body ? 'POST' : 'GET'),
      headers: {
        authorization: `token ${more.token ?? TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${sandbox.url}/_sbx/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CONTROL}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await sandbox.catchUp();
  };
  const newInvoice = async (change: object = {}): Promise<string> => {
    const { body } = await ask(`stores/${STORE}/invoices`, {
      amount: '199.00',
      currency: 'THB',
      metadata: { orderId: 'att_1-1' },
      ...change,
    });
    return body.id;
  };
  const invoice = async (id: string) => (await ask(`stores/${STORE}/invoices/${id}`)).body;
  const method = async (id: string) => (await ask(`stores/${STORE}/invoices/${id}/payment-methods`)).body[0];
  return {
    url: sandbox.url,
    told,
    forged,
    answers,
    wrong,
    ask,
    control,
    newInvoice,
    invoice,
    method,
    /** `Status (AdditionalStatus)` */
    state: async (id: string) => {
      const { status, additionalStatus } = await invoice(id);
      return `${status} (${additionalStatus})`;
    },
    typesOf: (id: string) => told.filter(({ invoiceId }) => invoiceId === id).map(({ type }) => type),
    advance: async (ms: number) => {
      now += ms;
      await sandbox.catchUp();
    },
    catchUp: sandbox.catchUp,
    stop: async () => {
      await sandbox.stop();
      shop.close();
      shop.closeAllConnections();
    },
  };
}
