import { afterEach, expect, test, vi } from 'vitest';
import { installBrowser } from './browser.ts';

afterEach(() => vi.unstubAllEnvs());

test('OP17 the error for a missing browser names the command that installs it', async () => {
  vi.stubEnv('PATH', '');
  vi.stubEnv('NO_INSTALL', '1');
  await expect(installBrowser(() => {})).rejects.toThrow(
    'not installed: chromium-headless-shell; run: sudo apt-get install chromium-headless-shell',
  );
});
