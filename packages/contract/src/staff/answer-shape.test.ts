import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeOf } from './answer-shape.ts';

test('a shape has every member, whether it may be absent or null, and what a list holds', () => {
  const schema = z.object({
    at: z.iso.datetime(),
    count: z.int().optional(),
    state: z.enum(['up', 'down']).nullable(),
    name: z.string().nullable(),
    rows: z.array(z.record(z.string(), z.boolean())),
    either: z.array(z.union([z.string(), z.number()])),
  });
  expect(shapeOf(z.object({ first: schema, second: z.object({}) }))).toBe(`{
  first: {
    at: instant
    count?: int
    state: "up" | "down" | null
    name: string | null
    rows: { [name]: boolean }[]
    either: (string | number)[]
  }
  second: {}
}`);
});
