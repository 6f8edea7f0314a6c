import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * CSP sources of the inline scripts of the shop's page, by hash (S64, decision 0016). Empty before
 * the web client is built.
 */
export async function inlineScripts(webDir: string): Promise<string[]> {
  const page = await readFile(join(webDir, 'index.html'), 'utf8').catch(() => '');
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );
}
