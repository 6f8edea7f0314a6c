import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE_LIFETIME_MS, canTry, decideSend, GRANT_LIFETIME_MS } from './challenge.ts';

const now = new Date('2026-11-21T10:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  ['the first one', [], undefined],
  ['59 seconds after the last', [59], 1],
  ['60 seconds after the last', [60], undefined],
  ['the fifth in an hour', [61, 200, 400, 600], undefined],
  ['the sixth in an hour', [61, 200, 400, 600, 3000], 600],
  ['the sixth when the first has just left the hour', [61, 200, 400, 600, 3600], undefined],
  ['the eleventh in a day', [61, 4000, 8000, 12000, 16000, 20000, 24000, 28000, 32000, 36000], 50_400],
])('S08 %s', (_name, seconds, retryAfterSeconds) => {
  expect(decideSend(seconds.map(ago), now)).toEqual(
    retryAfterSeconds === undefined
      ? { ok: true }
      : { ok: false, refusal: 'codeRequestsExceeded', retryAfterSeconds },
  );
});

test('S08 the next code may be sent exactly when the answer says so, and not a second earlier', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 15 }), seconds => {
      const sent = seconds.map(ago);
      const decision = decideSend(sent, now);
      if (decision.ok) return;
      const later = (extra: number) => new Date(now.getTime() + (decision.retryAfterSeconds + extra) * 1000);
      expect(decideSend(sent, later(0)).ok).toBe(true);
      expect(decideSend(sent, later(-1)).ok).toBe(false);
    }),
  );
});

test('S07 S10 a code is good for ten minutes, and so is what it is exchanged for', () => {
  expect([CODE_LIFETIME_MS, GRANT_LIFETIME_MS].map(ms => ms / 60_000)).toEqual([10, 10]);
});

test.each([
  [{ expiresAt: ago(-1), tries: 0, used: false }, true],
  [{ expiresAt: ago(-1), tries: 4, used: false }, true],
  [{ expiresAt: ago(-1), tries: 5, used: false }, false],
  [{ expiresAt: ago(0), tries: 0, used: false }, false],
  [{ expiresAt: ago(-1), tries: 0, used: true }, false],
])('S07 %j can be tried: %s', (challenge, can) => {
  expect(canTry(challenge, now)).toBe(can);
});
