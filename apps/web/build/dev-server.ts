import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';

/** Paths of the shop's server; everything else is a file of the web client. */
const SERVER_PATHS =
  '^/(v1|soc|webhooks|reports|docs|openapi\\.json|config\\.json|healthz|readyz|\\.well-known)\\b';

/** Vite's development server: changes reach the page at once, mostly without a reload. */
export interface DevServer {
  /** Calls `changed` for each file below the folders that is saved. */
  watch(folders: readonly string[], changed: (path: string) => void): void;
  /** Reloads every open page, after a change behind it. */
  reload(): void;
  close(): Promise<void>;
}

/**
 * Serves the web client from its sources and proxies the rest to the shop's server. Without the
 * headers of production, whose policy would block hot reload.
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
      proxy: { [SERVER_PATHS]: { target: at.apiUrl, ws: true } },
    },
  });
  reportEverySave(server.watcher);
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

/** Time in which the watcher reports one change per file, with some margin, ms. */
const WATCHER_DEBOUNCE_MS = 60;

/**
 * Reports every save. The watcher reports the first change of a file within 50 ms and drops the
 * others: when a formatter overwrites a save, the old text would be served until the next one. So
 * each change is checked again.
 */
function reportEverySave(watcher: ViteDevServer['watcher']): void {
  watcher.on('change', (path, reported) => {
    setTimeout(async () => {
      const now = await stat(path).catch(() => undefined);
      if (!now || now.mtimeMs === reported?.mtimeMs) return;
      watcher.emit('change', path, now);
      watcher.emit('all', 'change', path, now);
    }, WATCHER_DEBOUNCE_MS);
  });
}
