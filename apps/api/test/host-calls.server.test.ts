import { request } from 'node:https';
import { hostReport, SLOTS, USAGE_A_REPORT } from '@fixpoint/contract/agent.ts';
import { askAsHost } from '@fixpoint/testkit/attacks/raw.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** What a stranger can do to the listeners of the VPN hosts. */
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

type Answer = { status: number | undefined; sent: number };

/** Sends a body in pieces, until it is answered; tells how much of it was taken. */
function post(path: string, pieces: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const call = request({
      ...{ socketPath: shop.agentSocket, path, method: 'POST', rejectUnauthorized: false },
      headers: { 'content-type': 'application/json', 'content-length': pieces * PIECE.length },
    });
    let answered = false;
    call.on('response', response => {
      answered = true;
      response.resume();
      resolve({ status: response.statusCode, sent });
      call.destroy();
    });
    call.on('error', error => answered || reject(error));
    const next = () => {
      if (answered || sent === pieces * PIECE.length) return;
      sent += PIECE.length;
      call.write(PIECE, () => setTimeout(next, 5));
    };
    next();
  });
}
/** As the shop's own host. */
const asHost = (path: string, payload: string) => {
  const { certificate, key } = shop.host.identity;
  return askAsHost(shop.agentSocket, path, payload, { certificate, key });
};
const PIECE = Buffer.alloc(40_000, '[{"id":1},');

test('FS2 who shows no certificate is sent away before what he says is read', async () => {
  for (const path of ['/agent/v1/report', '/agent/v1/renew']) {
    const { status, sent } = await post(path, 95);
    expect(status, path).toBe(403);
    expect(sent, path).toBeLessThan(2_000_000);
  }
  // A host that enrols has none yet: what it says is short.
  expect((await post('/agent/v1/enrol', 95)).status).toBe(413);
});

test('FS2 of a list that is too long no item is looked at, and a report ends at 640 KB', async () => {
  const report = { revision: 1, agentVersion: 'a', openvpnVersion: 'b' };
  const looked: string[] = [];
  const item = new Proxy({}, { ownKeys: () => looked.push('looked') && [] });
  const tooLong = [
    { ...report, usage: [], subscriptions: Array(SLOTS + 1).fill(item) },
    { ...report, subscriptions: [], usage: Array(USAGE_A_REPORT + 1).fill(item) },
  ];
  for (const given of tooLong) {
    const { error } = hostReport.safeParse(given);
    expect(error?.issues).toHaveLength(1);
  }
  expect(looked).toEqual([]);
  const { status } = await asHost('/agent/v1/report', ' '.repeat(640 * 1024 + 1));
  expect(status).toBe(413);
});
