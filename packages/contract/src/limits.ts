type Limit = {
  /**
   * Per address (for IPv6: per /64 network). Thousands of people share one, so beyond it each call
   * costs a proof of work, which grows; a network alone is never refused.
   */
  perClient?: { most: number; seconds: number };
  /**
   * Calls of one customer, who is not counted under their network then. `beyond`: further calls
   * cost a proof of work instead of waiting.
   */
  perCustomer?: { most: number; seconds: number; beyond?: 'proofOfWork' };
  /**
   * Calls about one order or invoice, named by the body, instead of those of a network: pages of
   * several buyers behind one address poll. Beyond it each call costs a proof of work.
   */
  perOrder?: { most: number; seconds: number };
  /** Shares its counter with another limit. */
  countedWith?: string;
  /** When a proof of work is required: while the whole shop is under attack (S09), or always. */
  guarded?: 'underAttack' | 'always';
};

const HOUR = 3600;
const sendCode = { perClient: { most: 20, seconds: HOUR }, guarded: 'underAttack' } as const;

/**
 * Rate limits, named by the `limit` of a call. Besides them, wrong passwords and codes delay the
 * next try (S13), and one-time codes allow five tries (S07) and are limited in number (S08).
 * Addresses are counted under a hash that changes daily; no address is stored.
 */
export const limits = {
  login: { perClient: { most: 100, seconds: HOUR }, guarded: 'underAttack' },
  sendCode,
  /** Reveals whether an address is known, and emails a stranger: always guarded. */
  signUp: { ...sendCode, countedWith: 'sendCode', guarded: 'always' },
  tryCode: { perClient: { most: 100, seconds: HOUR }, guarded: 'underAttack' },
  setPassword: { perClient: { most: 60, seconds: HOUR } },
  confirm: { perCustomer: { most: 30, seconds: HOUR } },
  /** Some confirmations store a row and a challenge. */
  beginToConfirm: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each call changes what a host has to apply. */
  changeKeys: { perCustomer: { most: 60, seconds: HOUR } },
  /**
   * Each call emails the customer and changes what a host has to apply, and can be undone and
   * repeated (S17).
   */
  changeContract: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each call frees an address and costs the fee of a payment. A company may end all that it has. */
  withdraw: { perCustomer: { most: 20, seconds: 24 * HOUR } },
  /** Each call emails the customer (S17). */
  changeFactors: { perCustomer: { most: 20, seconds: HOUR } },
  /** Each call emails an address that a user has typed. */
  changeEmail: { perCustomer: { most: 10, seconds: 24 * HOUR } },
  /** A company may name all of its subscriptions in one sitting. */
  rename: { perCustomer: { most: 600, seconds: HOUR } },
  /** Each call may lead to a download of all documents of a year. */
  exportInvoices: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each call replaces a URL that firewalls read. */
  changeAllowList: { perCustomer: { most: 30, seconds: HOUR } },
  /** Each call emails a stranger. */
  invite: { perCustomer: { most: 60, seconds: 24 * HOUR } },
  /** Each call emails somebody, and changes who may do what. */
  changeTeam: { perCustomer: { most: 120, seconds: HOUR } },
  /** Each call begins a session. */
  switchCustomer: { perCustomer: { most: 120, seconds: HOUR } },
  setCompany: { perCustomer: { most: 60, seconds: HOUR } },
  changeLanguage: { perCustomer: { most: 60, seconds: HOUR } },
  downloadKey: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each call asks a host; an open page asks every few seconds. */
  diagnose: { perCustomer: { most: 300, seconds: HOUR } },
  /** Each call briefly interrupts all devices of a subscription. */
  restartServer: { perCustomer: { most: 6, seconds: HOUR } },
  /** Each call may take some hundred megabytes of the shop's own bandwidth. */
  measure: { perCustomer: { most: 12, seconds: HOUR } },
  /** Each call may be a guess. */
  fetchKey: { perClient: { most: 60, seconds: HOUR } },
  /** Each call writes an order row: more than anybody needs, too few to fill a disk. */
  beginOrder: { perClient: { most: 120, seconds: HOUR } },
  /** Each call may poll the payment provider; a page polls while its buyer waits. */
  askPayment: { perOrder: { most: 300, seconds: HOUR } },
  /** S43: saving a card asks its bank, like paying. */
  changeCards: { perCustomer: { most: 15, seconds: HOUR, beyond: 'proofOfWork' } },
  /** Emails a stranger's address: always guarded. */
  askPlaceNotice: { perClient: { most: 20, seconds: HOUR }, guarded: 'always' },
  /** Each call may be a guess. */
  tryPlaceNotice: { perClient: { most: 60, seconds: HOUR } },
  /** Each call emails an address that a buyer has typed. */
  emailBuyer: { perClient: { most: 20, seconds: HOUR } },
  /** S43: testing stolen cards takes many tries. What is due can always be paid, so it is never refused. */
  pay: {
    perClient: { most: 20, seconds: HOUR },
    perCustomer: { most: 5, seconds: HOUR, beyond: 'proofOfWork' },
  },
  /** Each call may be a guess, or polls the provider; a page polls while its payer waits. */
  readPayLink: { perClient: { most: 300, seconds: HOUR } },
  /** S43, as for `pay`. */
  payByLink: { perClient: { most: 20, seconds: HOUR } },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
/** The limits of one call, widened to the common type. */
export const limitOf = (name: LimitName): Limit => limits[name];
