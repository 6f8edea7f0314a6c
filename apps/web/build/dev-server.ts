import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';

/** What the shop's server answers; everything else is a file of the web client. */
const OF_THE_SERVER = '^/(v1|soc|webhooks|reports|docs|openapi\\.json|config\\.json|readyz|\\.well-known)\\b';

/** The web client as it is being written: a change is in the page at once, mostly without a reload. */
export interface DevServer {
  /** Calls with what has changed below the folders, however an editor saves. */
  watch(folders: readonly string[], changed: (path: string) => void): void;
  /** Has every open page restart: something behind it has changed. */
  reload(): void;
  close(): Promise<void>;
}

/**
 * Serves the web client from its sources, and passes on to the shop's server what is its. Without the headers of
 * production: a policy would refuse the scripts by which a page takes up a change.
 * @param apiUrl where the shop's server listens
 */
export async function startDevServer(at: {
  host: string;
  port: number;
  publicUrl: string;
  apiUrl: string;
}): Promise<DevServer> {
  const root = join(import.meta.dirname, '..');
  const server = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    cacheDir: join(root, '.cache/vite'),
    server: {
      host: at.host,
      port: at.port,
      strictPort: true,
      allowedHosts: [new URL(at.publicUrl).hostname],
      proxy: { [OF_THE_SERVER]: { target: at.apiUrl, ws: true } },
    },
  });
  tellEverySave(server.watcher);
  await server.listen();
  return {
    watch(folders, changed) {
      server.watcher.add([...folders]);
      server.watcher.on('all', (_event, path) => {
        if (folders.some(folder => path.startsWith(folder + sep))) changed(path);
      });
    },
    reload: () => server.ws.send({ type: 'full-reload' }),
    close: () => server.close(),
  };
}

/** ms in which the watcher passes on one change of a file, with some to spare. */
const WATCHER_IS_DEAF = 60;

/**
 * The watcher tells the first change of a file in 50 ms and forgets the others: of a save that a formatter writes over
 * at once, the text of before would be served until the next one. So each change is looked at again.
 */
function tellEverySave(watcher: ViteDevServer['watcher']): void {
  watcher.on('change', (path, told) => {
    setTimeout(async () => {
      const now = await stat(path).catch(() => undefined);
      if (!now || now.mtimeMs === told?.mtimeMs) return;
      watcher.emit('change', path, now);
      watcher.emit('all', 'change', path, now);
    }, WATCHER_IS_DEAF);
  });
}
