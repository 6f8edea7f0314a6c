import { describe, expect, it } from 'vitest';
import { decodeForm } from './form.ts';

describe('Stripe’s form encoding', () => {
  it.each([
    ['a=1&b=two%20words', { a: '1', b: 'two words' }],
    ['metadata[order]=7&metadata[kind]=vpn', { metadata: { order: '7', kind: 'vpn' } }],
    ['expand[]=a&expand[]=b', { expand: ['a', 'b'] }],
    ['expand[0]=a&expand[1]=b', { expand: ['a', 'b'] }],
    [
      'lines[0][price][id]=x&lines[1][price][id]=y',
      { lines: [{ price: { id: 'x' } }, { price: { id: 'y' } }] },
    ],
    ['created[gte]=5&created[lt]=9', { created: { gte: '5', lt: '9' } }],
    ['', {}],
  ])('%s', (text, expected) => {
    expect(JSON.parse(JSON.stringify(decodeForm(text)))).toEqual(expected);
  });

  it('treats __proto__ as an ordinary name', () => {
    const form = decodeForm(
      'metadata[__proto__][polluted]=1&__proto__[polluted]=1&constructor[prototype][polluted]=1',
    );
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    expect(Object.keys(form)).toEqual(['metadata', '__proto__', 'constructor']);
  });
});
