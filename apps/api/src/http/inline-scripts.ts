import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The scripts that stand in the shop's page itself, as sources for its policy: each by its content, so that no other
 * inline script runs (S64, decision 0016). None before the web client is built.
 */
export async function inlineScripts(webDir: string): Promise<string[]> {
  const page = await readFile(join(webDir, 'index.html'), 'utf8').catch(() => '');
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );
}
