import { Client } from 'pg';

/** SQLSTATE of a statement that the role may not run. */
export const INSUFFICIENT = '42501';

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Runs a statement and rolls it back. @returns number of rows, or the SQLSTATE of its refusal */
export async function runAndUndo(
  client: Client,
  text: string,
  values: unknown[] = [],
): Promise<number | string> {
  await client.query('begin');
  try {
    return (await client.query({ text, values })).rowCount ?? 0;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('rollback');
  }
}
