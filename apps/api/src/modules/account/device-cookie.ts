import { timingSafeEqual } from 'node:crypto';
import { DEVICE_COOKIE_MS } from '@fixpoint/domain/account/session.ts';
import { newCorrelation } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';

export type DeviceCookieDeps = {
  clock: Clock;
  /** HMAC under a key from outside the database. */
  deviceSeal(text: string): Buffer;
};
type Owner = { id: string; password_hash: string | null };

/**
 * Device cookie (OWASP) of a browser on which a customer logged in: their password tries there have a counter of their own,
 * which strangers cannot fill (S13). It grants nothing and is not stored: a random name, its expiry, and a MAC over both,
 * the customer and their present password hash.
 */
export function deviceCookieFor(deps: DeviceCookieDeps, owner: Owner): string {
  const until = Math.floor((deps.clock.now().getTime() + DEVICE_COOKIE_MS) / 1000);
  const marked = `${newCorrelation()}.${until}`;
  return `${marked}.${sealOf(deps, marked, owner).toString('base64url')}`;
}

/** Name of the browser in a device cookie. Undefined for a cookie of another customer or password, or an expired one. */
export function deviceOfCookie(
  deps: DeviceCookieDeps,
  cookie: string | undefined,
  owner: Owner | undefined,
): string | undefined {
  const [, marked, name, until, seal] = /^(([\w-]{36})\.(\d{10}))\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (!marked || !owner || Number(until) * 1000 <= deps.clock.now().getTime()) return undefined;
  const fits = timingSafeEqual(Buffer.from(seal!, 'base64url'), sealOf(deps, marked, owner));
  return fits ? name : undefined;
}

const sealOf = ({ deviceSeal }: DeviceCookieDeps, marked: string, { id, password_hash }: Owner): Buffer =>
  deviceSeal(`${marked}:${id}:${password_hash}`);
