import { describe, expect, it } from 'vitest';
import { type Field, offsetAt, route } from './field.ts';

const field: Field = { width: 400, height: 200, x: 250, y: 100, gap: 20, reach: 80, wander: 12 };
const routes = [-4, -2, 0, 1, 3];

describe('field of routes', () => {
  it('routes all pass through the point and share no other', () => {
    for (const n of routes) expect(offsetAt(field, n, field.x)).toBeCloseTo(0);
    for (const x of [0, 120, 400]) {
      expect(new Set(routes.map(n => offsetAt(field, n, x).toFixed(1))).size).toBe(routes.length);
    }
  });

  it('draws the whole width, or a part of it', () => {
    expect(route(field, 2)).toMatch(/^M0 /);
    expect(route(field, 2)).toMatch(/ 400 [\d.]+$/);
    expect(route(field, 2, 40, 300)).toMatch(/^M40 .* 300 [\d.]+$/);
  });
});
