import pg from 'pg';
import { mayHold } from './columns.ts';
import { type Kind, type Secrets, usedSecrets } from './secrets.ts';
import { kindsIn, kindsInBytes } from './shapes.ts';

/*
 * Searches the log and database of a shop that stops (S27, S82): no log line and no column may hold an email address
 * outside its own column, a password, a code, a token, a private key, a card number or an IP address. The metrics
 * endpoint is not searched: its labels are kinds of alerts and names of hosts (compose/metrics.ts).
 */

/** Describes a finding without its value, because it goes to the logs of test runs. */
export type Finding = string;

/** @param source name of the log in the findings */
export function searchLog(source: string, lines: Iterable<string>, secrets: Secrets): Finding[] {
  const findings = new Set<Finding>();
  for (const line of lines) {
    const entry = parsed(line);
    const words = entry && String(entry.event ?? entry.msg ?? 'no message');
    const event = words && kindsIn(words, secrets).size === 0 ? `"${words}"` : 'a line';
    for (const [path, text] of texts(entry ?? line)) {
      for (const kind of path === 'time' ? [] : kindsIn(text, secrets)) {
        findings.add(`${source}, ${event}${path && `, ${path}`}: ${kind}`);
      }
    }
  }
  return [...findings];
}

/** Searches every row of every table and of the job queue, except what `columns.ts` allows. */
export async function searchDatabase(url: string, secrets: Secrets): Promise<Finding[]> {
  const findings = new Map<Finding, number>();
  for (const [table, row] of await everyRow(url)) {
    for (const [column, value] of Object.entries(row)) {
      // Amounts and counts are not searched.
      for (const [path, text] of typeof value === 'number' ? [] : texts(value, `${table}.${column}`)) {
        for (const kind of kindsInColumn(text, secrets)) {
          if (mayHold(path, kind)) continue;
          const finding = `${path}: ${kind}`;
          findings.set(finding, (findings.get(finding) ?? 0) + 1);
        }
      }
    }
  }
  return [...findings].map(([finding, rows]) => `${finding} (${rows} times)`);
}

/** Secrets of this process's clients, and the codes in the subjects of emails to the sandbox. */
export async function secretsOf(sandboxUrl: string): Promise<Secrets> {
  const answer = await fetch(`${sandboxUrl}/mail/api/v1/messages?limit=2000`);
  const { messages } = (await answer.json()) as { messages: { Subject: string }[] };
  const codes = messages.flatMap(({ Subject }) => /^\d{6}(?=\D)/.exec(Subject)?.[0] ?? []);
  return new Map([...usedSecrets, ...codes.map(code => [code, 'code'] as const)]);
}

/** @throws an error that lists every finding */
export function refuseFindings(findings: Finding[]): void {
  if (findings.length > 0)
    throw new Error(`Found where it does not belong (S82):\n${findings.map(one => `  ${one}`).join('\n')}`);
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Every text in a value with its path: names of members too, and numbers as text. */
function* texts(value: unknown, path = ''): Generator<[string, string]> {
  if (typeof value === 'string' || typeof value === 'number') yield [path, String(value)];
  if (!value || typeof value !== 'object') return;
  for (const [key, item] of Object.entries(value)) {
    yield [path && `a name in ${path}`, key];
    yield* texts(item, Array.isArray(value) ? path : path ? `${path}.${key}` : key);
  }
}

/** Bytes in JSON are hexadecimal and start with \x. */
const kindsInColumn = (text: string, secrets: Secrets): Set<Kind> =>
  text.startsWith('\\x') ? kindsInBytes(Buffer.from(text.slice(2), 'hex'), secrets) : kindsIn(text, secrets);

async function everyRow(url: string): Promise<[table: string, row: Record<string, unknown>][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // A partition goes by the name of its table.
    const { rows: tables } = await client.query<{ schema: string; name: string; whole: string }>(
      `select n.nspname as schema, c.relname as name, n.nspname || '.' || coalesce(whole.relname, c.relname) as whole
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits i on i.inhrelid = c.oid left join pg_class whole on whole.oid = i.inhparent
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
    );
    const selects = tables.map(({ schema, name, whole }) => {
      const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
      return `select ${pg.escapeLiteral(whole)} as "table", to_jsonb(t) as "row" from ${from} t`;
    });
    const { rows } = await client.query<{ table: string; row: Record<string, unknown> }>(
      selects.join(' union all '),
    );
    return rows.map(({ table, row }) => [table, row]);
  } finally {
    await client.end();
  }
}
