import { spawnSync } from 'node:child_process';
import { root } from '@fixpoint/dev-stack/env.ts';

/* A newcomer searches for the word of the field and opens the first files: checks that the right one is among them. */

const MOST = 3;

/** Word, as an extended regular expression → file that it must find. */
const expected = {
  'rate limit': 'apps/api/src/adapters/postgres-limits.ts',
  'cron|scheduled task': 'apps/api/src/adapters/jobs/queues.ts',
  tombstone: 'apps/agent/src/deletion-tombstones.ts',
  'email template': 'apps/api/src/modules/email/emails/index.ts',
  'circuit breaker': 'apps/api/src/adapters/circuit-breaker.ts',
  'health check': 'apps/api/src/http/health.ts',
  idempotency: 'apps/api/src/adapters/postgres-idempotency-records.ts',
  outbox: 'apps/api/src/adapters/jobs/requests.ts',
};

const problems = Object.entries(expected).flatMap(([word, file]) => {
  const { stdout } = spawnSync('git', ['grep', '-ilE', word], { cwd: root, encoding: 'utf8' });
  const first = stdout.split('\n').filter(Boolean).slice(0, MOST);
  if (first.includes(file)) return [];
  return [
    `git grep -ilE '${word}' finds ${first.join(', ') || 'nothing'} before ${file}: use another word there`,
  ];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
