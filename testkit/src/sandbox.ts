import { randomBytes } from 'node:crypto';
import type { Ledger } from '@fixpoint/sandbox/control/ledger.ts';
import { type SandboxOptions, startSandbox } from '@fixpoint/sandbox/start.ts';

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

/** The stand-in providers in this process, with keys of their own and a hand on what goes wrong there. */
export async function startTestSandbox(
  options: Pick<SandboxOptions, 'shopOrigins' | 'clock'> & {
    /** Where the shop takes webhooks, each provider's under its name. */
    webhooks: string;
  },
) {
  const random = () => randomBytes(24).toString('hex');
  const keys = {
    secretKey: `sk_test_${random()}`,
    publishableKey: `pk_test_${random()}`,
    webhookSecret: `whsec_${random()}`,
    controlToken: random(),
  };
  const { webhooks, ...rest } = options;
  const btcpay = {
    token: random(),
    storeId: 'sandbox-store',
    webhookSecret: random(),
    webhookUrl: `${webhooks}/btcpay`,
  };
  const sandbox = await startSandbox({
    ...{ ...keys, ...rest, btcpay, webhookUrl: `${webhooks}/stripe` },
    ...{ host: '127.0.0.1', port: 0, smtpPort: 0 },
  });

  const control = controlOf(sandbox.url, keys.controlToken);
  return {
    ...sandbox,
    ...keys,
    btcpay,
    control,
    /** Something goes wrong at Stripe (README of the sandbox), the next `times`. */
    fault: (
      match: { provider?: 'btcpay' } & ({ path: string } | { list: string } | { event: string }),
      what: unknown,
      times = 1,
    ) => control('faults', { match: { provider: 'stripe', ...match }, do: what, times }),
    /** Nothing goes wrong any more. */
    calm: () => control('faults', undefined, 'DELETE'),
    ledger: () => control<Ledger>('ledger'),
  };
}

/** The control interface of a sandbox. The call @throws what it refuses. */
export const controlOf =
  (url: string, token: string) =>
  async <T = { id: string }>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> => {
    const answer = await fetch(`${url}/_sbx/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const said = (await answer.json()) as T & { error?: string };
    if (!answer.ok) throw new Error(said.error);
    return said;
  };
