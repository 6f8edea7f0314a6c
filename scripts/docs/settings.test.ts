import { schema } from '@fixpoint/api/env/schema.ts';
import { expect, test } from 'vitest';
import { envExample } from './env-example.ts';
import { shopSettings } from './settings.ts';

const settings = shopSettings().flatMap(group => group.settings);

test('every setting of the schema is documented once', () => {
  const names = settings.map(({ name }) => name);
  expect(names.filter(name => name in schema.shape).sort()).toEqual(Object.keys(schema.shape).sort());
  expect(new Set(names).size).toBe(names.length);
});

test('every example is a value that the shop accepts', () => {
  // Files that only their operator has.
  const given = settings.filter(({ name }) => !['BRAND_LOGO', 'LEGAL_TEXTS_DIR'].includes(name));
  const refused = given.filter(({ name, example }) => {
    const field = (schema.shape as Record<string, { safeParse(value: string): { success: boolean } }>)[name];
    return field && example && !field.safeParse(example).success;
  });
  expect(refused).toEqual([]);
});

test('.env.example changes nothing until a line is uncommented', () => {
  const lines = envExample(shopSettings()).split('\n');
  expect(lines.filter(line => line && !line.startsWith('#'))).toEqual([]);
  for (const { name } of settings)
    expect(lines.filter(line => line.startsWith(`#${name}=`)).length, name).toBe(1);
});
