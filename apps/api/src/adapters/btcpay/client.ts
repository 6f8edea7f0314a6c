import { z } from 'zod';
import { NamedFault } from '../../kernel/refusal.ts';
import { createCircuitBreaker } from '../circuit-breaker.ts';

export type BtcpaySettings = {
  url: string;
  storeId: string;
  /** Key of the store with the rights that `rights.ts` lists. */
  token: string;
  /** One, or two during a rotation. */
  webhookSecrets: string[];
};

/** Settings of BTCPay from the environment; undefined without it. */
export function btcpaySettings(env: {
  BTCPAY_URL?: string | undefined;
  BTCPAY_STORE?: string | undefined;
  BTCPAY_TOKEN?: string | undefined;
  BTCPAY_WEBHOOK_SECRETS?: string[] | undefined;
}): BtcpaySettings | undefined {
  const { BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS } = env;
  if (!BTCPAY_URL || !BTCPAY_STORE || !BTCPAY_TOKEN || !BTCPAY_WEBHOOK_SECRETS) return undefined;
  return {
    url: BTCPAY_URL,
    storeId: BTCPAY_STORE,
    token: BTCPAY_TOKEN,
    webhookSecrets: BTCPAY_WEBHOOK_SECRETS,
  };
}

/** BTCPay refused: our own mistake, or a state that does not allow it. */
export class BtcpayRefusal extends Error {
  readonly status: number;
  constructor(status: number, said: string) {
    super(`BTCPay answered ${status}: ${said}`);
    this.status = status;
  }
}

/** A call without an answer after this time has failed. */
const TIMEOUT_MS = 10_000;
/** Refused for now; nothing was done. */
const BUSY = [408, 409, 425, 429];

const serverShape = z.object({ version: z.string(), fullySynched: z.boolean() });

export type BtcpayClient = {
  settings: BtcpaySettings;
  /**
   * Calls a path below `/api/v1/` and parses the answer.
   * @throws NamedFault('providerUnreachable') if no answer came, it cannot be parsed, or the server
   *   has a fault
   * @throws BtcpayRefusal for every other failure
   */
  ask<S extends z.ZodType>(schema: S, path: string, body?: object): Promise<z.output<S>>;
  /** Version and state of the server, and its time (the `Date` header); throws like `ask`. */
  about(): Promise<{ version: string; fullySynched: boolean; date: string | null }>;
  /** The same below the store. */
  askStore<S extends z.ZodType>(schema: S, path: string, body?: object): Promise<z.output<S>>;
};

/**
 * BTCPay Server over its Greenfield API. No maintained library exists for it, and its calls are few
 * and plain.
 */
export function openBtcpay(settings: BtcpaySettings): BtcpayClient {
  const circuitBreaker = createCircuitBreaker();
  async function dated<S extends z.ZodType>(
    schema: S,
    path: string,
    body?: object,
  ): Promise<{ said: z.output<S>; date: string | null }> {
    const url = `${settings.url.replace(/\/$/, '')}/api/v1/${path}`;
    const { status, text, date } = await circuitBreaker(() => call(url, settings.token, body)).catch(
      (cause: unknown) => {
        throw unreachable(cause);
      },
    );
    if (status >= 500 || BUSY.includes(status)) {
      throw unreachable(new BtcpayRefusal(status, text), status >= 500);
    }
    if (status !== 200) throw new BtcpayRefusal(status, text.slice(0, 500));
    try {
      return { said: schema.parse(JSON.parse(text)), date };
    } catch (error) {
      throw unreachable(error);
    }
  }
  const ask: BtcpayClient['ask'] = async (schema, path, body) => (await dated(schema, path, body)).said;
  const store = `stores/${encodeURIComponent(settings.storeId)}`;
  return {
    settings,
    ask,
    askStore: (schema, path, body) => ask(schema, `${store}/${path}`, body),
    async about() {
      const { said, date } = await dated(serverShape, 'server/info');
      return { ...said, date };
    },
  };
}

const unreachable = (cause: unknown, answered = false): NamedFault =>
  new NamedFault('providerUnreachable', { cause, answered });

async function call(
  url: string,
  token: string,
  body: object | undefined,
): Promise<{ status: number; text: string; date: string | null }> {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `token ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // A redirect would send the key to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, text: await answer.text(), date: answer.headers.get('date') };
}
