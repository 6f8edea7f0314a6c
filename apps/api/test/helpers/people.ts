import { pbkdf2Sync } from 'node:crypto';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { type Challenge, type DeriveKeyFunction, solveChallenge } from 'altcha-lib';
import { io } from 'socket.io-client';

/** The parts of a shop that these helpers use. */
type Shop = Pick<TestShop, 'client' | 'url' | 'sandboxUrl'>;

/** Waits for the newest code emailed to an address in an email that matches. */
export const codeIn = async (shop: Shop, email: string, fits: RegExp): Promise<string> =>
  /^(\d{6})/.exec((await emailTo(shop, email, fits)).Subject)![1]!;

/** Signs up a customer who has bought nothing, and logs them in. */
export async function signUp(
  shop: Shop,
  email: string,
  password = PASSWORD,
): Promise<{ client: TestClient; token: string; email: string }> {
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const begun = await shop.client.customer.register({
    body: { email, password, termsVersion, language: 'en', humanCheck: await proveHuman(shop) },
  });
  if (!begun.data) throw new Error(`register answered ${begun.code}`);
  const code = await codeIn(shop, email, /finish signing up/);
  const { token } = await shop.client.customer.verifyUser({ body: { flow: begun.data.flow, code } });
  return { client: createClient(shop.url, token), token: token!, email };
}

/** Same result as the library, without the two hundred turns of the event loop per proof. */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength = 32 }, salt, password) => ({
  derivedKey: pbkdf2Sync(password, salt, cost, keyLength, 'sha256'),
});

/** Solves a human check of so many units of work, as a browser does. */
export async function proveHuman(shop: Shop, work = 1): Promise<string> {
  const { data: challenge } = await shop.client.account.humanCheck({ query: { work } });
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Opens a live socket and waits until it is connected. */
export async function connect(url: string, token: string) {
  const socket = io(url, {
    path: '/soc/socket.io/',
    query: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  await new Promise<void>((connected, failed) => {
    socket.once('connect', connected);
    socket.once('connect_error', failed);
  });
  return socket;
}
