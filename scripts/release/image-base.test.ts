import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { POSTGRES } from './image-base.ts';

test('OP15 compose.yaml runs the PostgreSQL that the image can back up, and the guide names it', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { services } = parse(read('ops/container/compose.yaml'), { merge: true });
  expect(services.postgres.image).toBe(`docker.io/library/postgres:${POSTGRES}`);
  expect(read('docs/operate/containers.md')).toContain(`PostgreSQL ${POSTGRES}`);
});
