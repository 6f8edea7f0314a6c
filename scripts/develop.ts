import { join } from 'node:path';
import { root, type Settings, SettingsError } from '@fixpoint/dev-stack/env.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { freePort, isFree } from '@fixpoint/dev-stack/ports.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { startDevServer } from '../apps/web/build/dev-server.ts';

/** Sources of the API. */
const SOURCES = ['apps/api/src', 'packages/contract/src', 'packages/domain/src', 'packages/texts/src'];
/** One save of an editor causes several events. */
const QUIET_MS = 50;

/** Debounces file changes and never runs `work` concurrently. */
function debounced(work: () => Promise<void>): (path: string) => void {
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  return path => {
    if (!/\.(tsx?|json)$/.test(path) || /\.test\.tsx?$/.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(work);
    }, QUIET_MS);
  };
}

/**
 * Runs the stack of `npm start` for development: Vite serves the web client with hot reload; a change of the API or the texts
 * restarts the API and reloads open pages.
 */
export async function startDevelopment(settings: Settings, show: (line: string) => void): Promise<Stack> {
  const { host, dataDir, env } = settings;
  if (settings.port && !(await isFree(settings.port, host)))
    throw new SettingsError(
      `Port ${settings.port} is in use. Stop what uses it, or set PORT to another port.`,
    );
  const port = settings.port || (await freePort());
  const publicUrl = settings.port ? settings.publicUrl : `http://localhost:${port}`;
  const stack = await startStack({
    dataDir,
    // Vite serves the pages and proxies to the API.
    env: {
      PAY_URL: `http://127.0.0.1:${port}`,
      ...env,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      PUBLIC_URL: publicUrl,
    },
    region: !settings.realProviders,
    show,
  });
  try {
    const web = await startDevServer({ host, port, publicUrl, apiUrl: stack.url });
    web.watch(
      SOURCES.map(folder => join(root, folder)),
      debounced(async () => {
        show('api: changed, restarting');
        await stack.api.restart().then(web.reload, error => show(operatorMessage(error) ?? String(error)));
      }),
    );
    return { ...stack, stop: () => web.close().finally(() => stack.stop()) };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
