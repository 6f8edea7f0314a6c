import { startPostgres } from '../postgres.ts';

/**
 * A supervisor in its own process, to be killed by tests. Prints `{url, pid}` or `{error}` as one
 * line.
 */
const [dataDir = ''] = process.argv.slice(2);
try {
  const { adminUrl: url, pid, stop } = await startPostgres({ dataDir, durable: false });
  process.once('SIGTERM', () => stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ url, pid })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
}
