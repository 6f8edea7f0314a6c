import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSeal, SEAL_KEY_BYTES } from './seal.ts';
import { stateFile } from './state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixpoint-state-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shape = z.object({ serverKey: z.string() });
const secret = { serverKey: '-----BEGIN PRIVATE KEY-----' };
const sealOf = (byte: number) => createSeal(Buffer.alloc(SEAL_KEY_BYTES, byte));

describe('a state file', () => {
  it('FV23 contains no plain text where the host has a state key', () => {
    const path = join(folder, 'sealed.json');
    const file = stateFile(path, shape, sealOf(1));
    file.save(secret);
    expect(readFileSync(path).includes('PRIVATE')).toBe(false);
    expect(file.load()).toEqual(secret);
  });

  it('FV23 is ignored with another key, after a changed byte, and in plain text', () => {
    const path = join(folder, 'other.json');
    const file = stateFile(path, shape, sealOf(1));
    file.save(secret);
    expect(stateFile(path, shape, sealOf(2)).load()).toBeUndefined();
    expect(stateFile(path, shape).load()).toBeUndefined();
    const bytes = readFileSync(path);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path, bytes);
    expect(file.load()).toBeUndefined();
    writeFileSync(path, JSON.stringify(secret));
    expect(file.load()).toBeUndefined();
  });
});
