import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPayLinkSeal } from '../../../crypto/secrets.ts';
import { invoiceOfToken, payTokenFor } from './token.ts';

const seal = createPayLinkSeal(randomBytes(32));
const ID = 'inv_0123456789abcdefghjk';

test('a link names its invoice, the same each time it is made', () => {
  expect(payTokenFor(seal, ID)).toBe(payTokenFor(seal, ID));
  expect(invoiceOfToken(seal, payTokenFor(seal, ID))).toBe(ID);
});

test('no token of another invoice, of another shop, or of another form opens it', () => {
  const [, mac] = payTokenFor(seal, ID).split('.');
  const other = createPayLinkSeal(randomBytes(32));
  for (const token of [
    `0123456789abcdefghjm.${mac}`,
    payTokenFor(other, ID),
    payTokenFor(seal, ID).slice(0, -1),
    `${payTokenFor(seal, ID)}A`,
    `.${mac}`,
    ID,
    '',
  ]) {
    expect(invoiceOfToken(seal, token), token).toBeUndefined();
  }
});
