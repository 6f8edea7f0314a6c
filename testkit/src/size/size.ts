/** How much a filled shop holds. */
export type Size = {
  customers: number;
  /** What was bought and paid: one for each customer, the rest for the hundredth of them that buys the most. */
  sales: number;
  /** Of 30 places with as many hosts each. */
  hosts: number;
  /** Of each host, at most 510. */
  addresses: number;
};

export const PLACES = 30;

/** A shop after some years; a part of it has the same shape. */
export const sizeOf = (customers: number): Size => ({
  customers,
  sales: Math.round(customers * 1.2),
  hosts: 300,
  addresses: Math.min(510, Math.round(customers / 200) + 10),
});

/** A statement that fills a table, or prepares one. */
export type Step = { table: string; sql: string };
