import { timingSafeEqual } from 'node:crypto';

const PREFIX = 'inv_';

/**
 * Token of the link that pays one invoice: its ID and a MAC over it that only this shop can make. Nothing is stored, so a
 * repeated email carries the same link; it is over when the invoice is.
 * @param seal HMAC under a key for this purpose alone
 */
export const payTokenFor = (seal: (text: string) => Buffer, invoiceId: string): string =>
  `${invoiceId.slice(PREFIX.length)}.${seal(invoiceId).toString('base64url')}`;

/** The invoice of a token; undefined where the shop has not made it. */
export function invoiceOfToken(seal: (text: string) => Buffer, token: string): string | undefined {
  const [, id, given] = /^(\w{1,40})\.([\w-]{43})$/.exec(token) ?? [];
  if (!id) return undefined;
  const invoiceId = `${PREFIX}${id}`;
  return timingSafeEqual(Buffer.from(given!, 'base64url'), seal(invoiceId)) ? invoiceId : undefined;
}
