import { afterEach, expect, test, vi } from 'vitest';
import { provideBrowser } from './browser.ts';

afterEach(() => vi.unstubAllEnvs());

test('OP17 a browser that is missing is named with the command that installs it', async () => {
  vi.stubEnv('PATH', '');
  vi.stubEnv('NO_INSTALL', '1');
  await expect(provideBrowser(() => {})).rejects.toThrow(
    'not installed: chromium-headless-shell; run: sudo apt-get install chromium-headless-shell',
  );
});
