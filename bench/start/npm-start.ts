import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';

/** A running `npm start` with an operator's own keys: no sandbox, no demo region. */
export type Started = { pid: number; url: string; ms: number; stop(): Promise<void> };

const SETTINGS = {
  STRIPE_SECRET: 'sk_live_bench',
  STRIPE_PUB: 'pk_live_bench',
  STRIPE_WEBHOOK_SECRETS: 'whsec_bench',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'https://shop.example',
  TRUST_PROXY: '127.0.0.1',
  MAIL_FROM: 'Bench <bench@shop.example>',
  SUPPORT_EMAIL: 'bench@shop.example',
  COMPANY_NAME: 'Bench',
  COMPANY_ADDRESS: 'Here',
  SEED: 'demo',
};

/** Resolves when `npm start` prints the address of the shop, after `ms` milliseconds. */
export async function npmStart(dataDir: string): Promise<Started> {
  const begin = performance.now();
  const env = {
    ...basicEnv(),
    ...SETTINGS,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    NO_INSTALL: '1',
  };
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /Shop:\s+(\S+)/.exec(line)?.[1];
    if (!url) continue;
    child.stdout!.resume();
    const stop = () => {
      child.kill('SIGTERM');
      return exited;
    };
    return { pid: child.pid!, url, ms: performance.now() - begin, stop };
  }
  throw new Error('npm start exited');
}
