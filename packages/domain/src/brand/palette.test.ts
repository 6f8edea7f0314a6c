import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandTokens, contrast, readableAction, readableLinks } from './palette.ts';

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map(value => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('a colour that can be read stays as it is, and a lighter one has a readable one beside it', () => {
  expect(readableLinks('#3D34B0')).toBe('#3d34b0');
  expect(readableAction('#c2480a')).toBe('#c2480a');
  for (const readable of [readableLinks, readableAction]) {
    expect(readable('#ffcc00')).not.toBe('#ffcc00');
    fc.assert(fc.property(anyColour, colour => readable(readable(colour)) === readable(colour)));
  }
});

test('without colours of an operator, no token changes', () => {
  expect(brandTokens({})).toEqual({});
  expect(Object.keys(brandTokens({ action: '#005fcc' }))).not.toContain('indigo');
});

test('the colours of an operator become these', () => {
  expect(brandTokens({ links: '#005FCC', action: '#ffcc00' })).toEqual({
    indigo: ['#005fcc', '#69a1e1'],
    'indigo-strong': ['#004799', '#9ec2ec'],
    'indigo-line': ['#8cb7e8', '#405b86'],
    'indigo-soft': ['#e8f1fa', '#212540'],
    focus: ['#005fcc', '#69a1e1'],
    action: ['#8f7200', '#8f7200'],
    'action-hover': ['#7b6200', '#7b6200'],
    'action-active': ['#685300', '#685300'],
    point: ['#8f7200', '#987d14'],
  });
});

test('whatever colours an operator has, links, marks and buttons can be read by day and by night', () => {
  fc.assert(
    fc.property(anyColour, anyColour, (links, action) => {
      const all = brandTokens({ links, action });
      const of = (name: string, theme: 0 | 1) => all[name]![theme];
      for (const [theme, behind] of [
        [0, ['#fbf9f5', '#ffffff', of('indigo-soft', 0)]],
        [1, ['#100e1f', '#17142a', '#201c39', of('indigo-soft', 1)]],
      ] as const) {
        for (const each of behind)
          for (const name of ['indigo', 'indigo-strong', 'focus'])
            expect(contrast(of(name, theme), each), `${name} on ${each}`).toBeGreaterThanOrEqual(4.5);
        for (const name of ['action', 'action-hover', 'action-active'])
          expect(contrast('#ffffff', of(name, theme)), name).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(of('action', 1), '#17142a')).toBeGreaterThanOrEqual(3);
    }),
  );
});
