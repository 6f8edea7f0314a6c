import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

/** The customer whose call is being answered; absent in jobs, webhooks and calls of visitors. */
const scope = new AsyncLocalStorage<string>();

/**
 * Runs `work` with every query of it confined to the rows of one customer (S30): whatever handle it uses, and also when
 * a query forgets to say whose rows it wants. The policies are in migration 0005.
 */
export const asCustomer = <T>(customerId: string, work: () => Promise<T>): Promise<T> =>
  scope.run(customerId, work);

const ENTER = "select set_config('role', 'fixpoint_customer', false), set_config('app.customer', $1, false)";
const LEAVE = 'reset role; reset app.customer';

/**
 * The pool as Kysely needs it. A connection that is taken in a customer's call carries his role until it is given back;
 * one that cannot be put back to normal is closed, never given to somebody else.
 */
export function confine(pool: Pool): Pick<Pool, 'connect' | 'end' | 'options'> {
  const confined = async (client: PoolClient, customerId: string): Promise<PoolClient> => {
    try {
      await client.query(ENTER, [customerId]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    const release: PoolClient['release'] = broken => {
      if (broken) return client.release(broken);
      client.query(LEAVE).then(
        () => client.release(),
        () => client.release(true),
      );
    };
    return Object.create(client, {
      query: { value: client.query.bind(client) },
      release: { value: release },
    }) as PoolClient;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: (async () => {
      const client = await pool.connect();
      const customerId = scope.getStore();
      return customerId ? confined(client, customerId) : client;
    }) as Pool['connect'],
  };
}
