import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../helpers/shop-command.ts';

/** Staff are told what documents cannot show where they type it. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

const command = (...args: string[]) => runCommand(databaseSettings(database.urls), ...args);
const example = fileURLToPath(new URL('../../../../docs/operate/catalogue.example.yaml', import.meta.url));

test('FM21 the catalogue, a text, a setting and the reason of a refund name what documents cannot show', async () => {
  const file = join(tmpdir(), `undisplayable-${process.pid}.yaml`);
  await writeFile(file, (await readFile(example, 'utf8')).replace('name: Bangkok', 'name: "Bangkok 𓀀"'));
  try {
    const { stdout } = await command('catalogue', 'import', file, '--yes');
    const named = 'Invoices and receipts print � for 𓀀 (U+13000) in regions.th-bkk.name. Write it without.';
    expect(stdout).toContain(named);
    expect((await command('text', 'set', 'en', 'plans.name.solo', 'Solo 𓁀')).stdout).toContain(
      '� for 𓁀 (U+13040) in plans.name.solo',
    );
    // A text of the screens alone can have any character.
    expect((await command('text', 'set', 'en', 'login.title', 'Hi 𓁀')).stdout).not.toContain('�');
    const env = { ...databaseSettings(database.urls), BRAND_NAME: 'Brand 𓂀', COMPANY_ADDRESS: '1 Road 𓃀' };
    const ready = await runCommand(env, 'ready').catch(({ stdout: out, stderr }) => ({
      stdout: out + stderr,
    }));
    expect(ready.stdout).toContain(named);
    for (const where of ['𓁀 (U+13040) in text en plans.name.solo', '𓂀 (U+13080) in BRAND_NAME'])
      expect(ready.stdout).toContain(where);
    expect(ready.stdout).toContain('𓃀 (U+130C0) in COMPANY_ADDRESS');
    expect(ready.stdout).not.toContain('login.title');
  } finally {
    await rm(file);
  }
  await expect(command('refund', '2026-000001', '--reason', 'Sorry 𓀀')).rejects.toThrow(
    '--reason: the credit note cannot show 𓀀 (U+13000)',
  );
});
