import type { controlOf } from '../sandbox.ts';

/** Where buyers buy: another node each time, where there are several. */
export type Shops = {
  sandboxUrl: string;
  /** Address of a node. */
  node(): string;
  /** What others do at the providers: banks, miners, a payer at his own bank. */
  control: ReturnType<typeof controlOf>;
};
