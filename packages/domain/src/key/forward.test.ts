import { describe, expect, it } from 'vitest';
import { closedPort, decideForward } from './forward.ts';

const KEYS = ['phone', 'laptop'];
const VPN = [1194, 8443];
const phone = { port: 8080, keyId: 'phone' };

describe('a port of the fixed IP', () => {
  it.each([
    ['is opened', null, phone, { ok: true, changed: true }],
    ['leads elsewhere', phone, { ...phone, keyId: 'laptop' }, { ok: true, changed: true }],
    ['is another', phone, { ...phone, port: 25_565 }, { ok: true, changed: true }],
    ['is closed', phone, null, { ok: true, changed: true }],
    ['is open already', phone, phone, { ok: true, changed: false }],
    ['is closed already', null, null, { ok: true, changed: false }],
    ['leads to no key of it', null, { ...phone, keyId: 'other' }, { ok: false, refusal: 'keyNotFound' }],
    ['is the VPN’s of UDP', null, { ...phone, port: 1194 }, { ok: false, refusal: 'portTaken' }],
    ['is the VPN’s of TCP', phone, { ...phone, port: 8443 }, { ok: false, refusal: 'portTaken' }],
  ])('that %s', (_, now, wanted, decision) => {
    expect(decideForward(now, wanted, KEYS, VPN)).toEqual(decision);
  });

  it.each([
    ['stays with a plan that has it', true, [], undefined],
    ['goes with a plan that has none', false, [], 8080],
    ['goes with its device', true, [{ id: 'phone' }], 8080],
    ['stays when another device goes', true, [{ id: 'laptop' }], undefined],
  ])('%s', (_, portForward, surplus, port) => {
    const keys = [
      { id: 'phone', forwardedPort: 8080 },
      { id: 'laptop', forwardedPort: null },
    ];
    expect(closedPort(keys, surplus, portForward)).toBe(port);
  });

  it('that is not open is closed by no plan', () => {
    expect(closedPort([{ id: 'phone', forwardedPort: null }], [{ id: 'phone' }], false)).toBeUndefined();
  });
});
