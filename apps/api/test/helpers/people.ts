import { pbkdf2Sync } from 'node:crypto';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { type Challenge, type DeriveKeyFunction, solveChallenge } from 'altcha-lib';
import { io } from 'socket.io-client';

/** What is needed of a shop to deal with it. */
type Shop = Pick<TestShop, 'client' | 'url' | 'sandboxUrl'>;

/** The newest code that was mailed to an address for what the email says. */
export const codeIn = async (shop: Shop, email: string, fits: RegExp): Promise<string> =>
  /^(\d{6})/.exec((await emailTo(shop, email, fits)).Subject)![1]!;

/** A customer who signed up and has bought nothing; logged in. */
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

/** As the library does it, but for the two hundred turns of the event loop that each of its proofs takes. */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength = 32 }, salt, password) => ({
  derivedKey: pbkdf2Sync(password, salt, cost, keyLength, 'sha256'),
});

/** What a browser does when a call asks for the human check. */
export async function proveHuman(shop: Shop): Promise<string> {
  const { data: challenge } = await shop.client.account.humanCheck();
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** A socket that is connected. */
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
