import { isIP } from 'node:net';
import { z } from 'zod';

export const port = z.coerce.number().int().min(0).max(65_535);
export const text = z.string().trim().min(1);
export const list = text.transform(value => value.split(',').map(item => item.trim()));
export const httpUrl = z.url({ protocol: /^https?$/ });
export const origin = httpUrl.refine(
  url => new URL(url).origin === url,
  'must be an origin, e.g. https://api-m.paypal.com',
);
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
