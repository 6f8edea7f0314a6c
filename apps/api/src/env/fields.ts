import { isIP } from 'node:net';
import { z } from 'zod';

export const port = z.coerce.number().int().min(0).max(65_535);
export const text = z.string().trim().min(1);
export const list = text.transform(value => value.split(',').map(item => item.trim()));

const urlOf = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);
const isHttp = (value: string): boolean => /^https?:$/.test(urlOf(value)?.protocol ?? '');
const HTTP = 'must be an address that begins with https:// or http://';

export const httpUrl = z.string().refine(isHttp, HTTP);
/** Nobody can read the traffic: it is encrypted, or stays on this machine. */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
/** An address to which a secret may be sent. */
export const safeUrl = z
  .string()
  .refine(isHttp, { error: HTTP, abort: true })
  .refine(value => isSafe(new URL(value)), {
    error: 'must be https, because it would be sent unencrypted',
    abort: true,
  });
export const origin = z
  .string()
  .refine(
    value => isHttp(value) && new URL(value).origin === value,
    `${HTTP} and has neither a path nor a / at its end`,
  );
/** Address of the shop itself, which answers at / only. */
export const site = z
  .string()
  .refine(isHttp, { error: HTTP, abort: true })
  .refine(
    value => new URL(value).href === `${new URL(value).origin}/`,
    'must have no path, because the shop answers at / only',
  );

const ENCODED =
  'Write special characters of user and password as codes: / as %2F, @ as %40, : as %3A, # as %23, ? as %3F, % as %25';

/**
 * Address of a server with user and password, which may hold signs that end a part of an address.
 * @param protocols of which it has one
 */
export const serverUrl = (...protocols: string[]) =>
  z
    .string()
    .refine(value => protocols.some(protocol => value.startsWith(`${protocol}://`)), {
      error: `must begin with ${protocols.map(protocol => `${protocol}://`).join(' or ')}`,
      abort: true,
    })
    .refine(isWhole, `cannot be read as an address. ${ENCODED}`);

/** An unencoded / in a password ends the server's name, and the @ after it is left in the path. */
function isWhole(value: string): boolean {
  const url = urlOf(value);
  if (!url || url.pathname.includes('@')) return false;
  try {
    return [url.username, url.password].every(part => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

export const flag = z.enum(['true', 'false']);
export const isTrue = (value: 'true' | 'false'): boolean => value === 'true';

/** Whether a text is an address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const long = /^\d{1,3}$/.test(length ?? '0') && Number(length ?? 0) <= bits;
  return bits > 0 && long && more.length === 0;
}

/**
 * A setting with its description, from which docs/operate/reference.md and .env.example are
 * generated.
 *
 * @param shown `example`: value in .env.example; `byDefault`: the default, if the schema has no
 *   constant one
 */
export const setting = <S extends z.ZodType>(
  field: S,
  description: string,
  shown: { example?: string; byDefault?: string } = {},
): S => field.meta({ description, ...shown });

/** Settings under one title in the reference and in .env.example. */
export const group = <S extends Record<string, z.ZodType>>(title: string, settings: S): S =>
  Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [name, field.meta({ ...field.meta(), group: title })]),
  ) as S;
