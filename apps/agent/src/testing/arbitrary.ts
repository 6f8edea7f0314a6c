import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import fc from 'fast-check';
import type { HostSet } from '../plan.ts';

/**
 * Sets with few subscriptions and keys from a small range, so that two of them often share or swap
 * values.
 */
const rate = fc.constantFrom(1, 10, 100);
const certificate = fc.constantFrom('certificate-a', 'certificate-b');

const key = (subscription: number): fc.Arbitrary<DesiredKey> =>
  fc.record({
    id: fc.integer({ min: 1, max: 6 }).map(n => `k_${subscription}_${n}`),
    address: fc.integer({ min: 2, max: 6 }),
    rateMbit: fc.option(rate, { nil: undefined }),
    forwardedPort: fc.option(fc.constantFrom(8080, 9090), { nil: undefined }),
  });

const subscription = (n: number): fc.Arbitrary<DesiredSubscription> =>
  fc.record({
    id: fc.constant(`s_test${n}`),
    slot: fc.integer({ min: 1, max: 5 }),
    bindAddress: fc.integer({ min: 10, max: 14 }).map(octet => `203.0.113.${octet}`),
    prefix6: fc.option(
      fc.integer({ min: 0, max: 4 }).map(part => `2001:db8:7:${part}::/64`),
      { nil: undefined },
    ),
    publicAddress: fc.constant('203.0.113.9'),
    port: fc.constantFrom(1194, 443),
    tcpPort: fc.constantFrom(443, 8443, undefined),
    rateMbit: rate,
    ca: fc.constant('ca'),
    serverCertificate: certificate,
    serverKey: fc.constant('key'),
    tlsCrypt: fc.constant('tls'),
    keys: fc.uniqueArray(key(n), {
      maxLength: 4,
      comparator: (a, b) =>
        a.id === b.id ||
        a.address === b.address ||
        (a.forwardedPort !== undefined && a.forwardedPort === b.forwardedPort),
    }),
    revoked: fc.uniqueArray(
      fc.record({ keyId: fc.constant(`k_${n}_1`), serial: fc.constantFrom('11', '22', '33') }),
      { selector: entry => entry.serial },
    ),
  });

/** A set without conflicts: slots and addresses are unique. */
export const hostSet: fc.Arbitrary<HostSet> = fc
  .record({
    dns: fc.constantFrom('9.9.9.9', '1.1.1.1').map(address => [address]),
    subscriptions: fc.tuple(subscription(1), subscription(2), subscription(3), subscription(4)),
  })
  .map(({ dns, subscriptions }) => {
    const taken = new Set<string | number>();
    return {
      dns,
      subscriptions: subscriptions.filter(s => {
        const claims = [s.slot, s.bindAddress, s.prefix6 ?? s.slot];
        if (claims.some(claim => taken.has(claim))) return false;
        for (const claim of claims) taken.add(claim);
        return true;
      }),
    };
  });
