/** Amount of data in a filled shop. */
export type Size = {
  customers: number;
  /** Paid orders: one per customer; the other ones belong to the most active hundredth. */
  sales: number;
  /** Number of hosts: a multiple of the 30 places. */
  hosts: number;
  /** Addresses per host, at most 510. */
  addresses: number;
};

export const PLACES = 30;

/** Size of a shop after some years; a smaller one has the same proportions. */
export const sizeOf = (customers: number): Size => ({
  customers,
  sales: Math.round(customers * 1.2),
  hosts: 300,
  addresses: Math.min(510, Math.round(customers / 200) + 10),
});

/** Statement that fills or prepares a table. */
export type Step = { table: string; sql: string };
