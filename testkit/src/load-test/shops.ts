import type { controlOf } from '../sandbox.ts';

/** Where buyers buy: a different node for each request when there are several. */
export type Shops = {
  sandboxUrl: string;
  /** Address of a node. */
  node(): string;
  /** Controls what third parties do at the providers: banks, miners, payers. */
  control: ReturnType<typeof controlOf>;
};
