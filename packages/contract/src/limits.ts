type Limit = {
  /** Calls from one address (of IPv6: from one /64 network). */
  perClient?: { most: number; seconds: number };
  /** Calls of one customer. */
  perCustomer?: { most: number; seconds: number };
  /** Code of the refusal; 9905 unless one-time codes are limited (7005). */
  refusal?: 'codeRequestsExceeded';
  /** Counts together with the calls of another limit. */
  countedWith?: string;
  /** When a proof of work is wanted: while the whole shop is under attack (S09), or every time. */
  guarded?: 'underAttack' | 'always';
};

const HOUR = 3600;
const sendCode = {
  perClient: { most: 20, seconds: HOUR },
  refusal: 'codeRequestsExceeded',
  guarded: 'underAttack',
} as const;

/**
 * Limits of calls, named where a call is declared (`limit`). Beyond them: a wrong password or app code makes the next
 * try at that account wait (S13), a one-time code bears five tries (S07) and is sent only so often (S08). An address is
 * counted under a name that changes daily and cannot be turned back; nothing of it is stored.
 */
export const limits = {
  login: { perClient: { most: 100, seconds: HOUR }, guarded: 'underAttack' },
  sendCode,
  /** It says whether an address is known, and emails a stranger: never for nothing. */
  signUp: { ...sendCode, countedWith: 'sendCode', guarded: 'always' },
  tryCode: { perClient: { most: 100, seconds: HOUR }, guarded: 'underAttack' },
  setPassword: { perClient: { most: 60, seconds: HOUR } },
  humanCheck: { perClient: { most: 300, seconds: HOUR } },
  confirm: { perCustomer: { most: 30, seconds: HOUR } },
  /** Some of what begins a confirmation makes a row and a challenge. */
  beginToConfirm: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each changes what a host has to apply. */
  changeKeys: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each emails the customer and changes what a host has to apply; taken back, it can be done again (S17). */
  changeContract: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each emails the customer (S17). */
  changeFactors: { perCustomer: { most: 20, seconds: HOUR } },
  changeLanguage: { perCustomer: { most: 60, seconds: HOUR } },
  downloadKey: { perCustomer: { most: 60, seconds: HOUR } },
  /** Each asks a host; a page asks every few seconds while it is looked at. */
  diagnose: { perCustomer: { most: 300, seconds: HOUR } },
  /** Each interrupts all devices of a subscription for a moment. */
  restartServer: { perCustomer: { most: 6, seconds: HOUR } },
  /** Each may take some hundred megabytes of the shop's own line. */
  measure: { perCustomer: { most: 12, seconds: HOUR } },
  /** Each try may be a guess. */
  fetchKey: { perClient: { most: 60, seconds: HOUR } },
  /** Each begins an order and writes a row: more than anybody chooses between, too few to fill a disk. */
  beginOrder: { perClient: { most: 120, seconds: HOUR } },
  /** Each may ask the payment provider; a page asks while its buyer waits. */
  askPayment: { perClient: { most: 300, seconds: HOUR } },
  /** S43: saving a card asks its bank, like paying. */
  changeCards: { perClient: { most: 40, seconds: HOUR }, perCustomer: { most: 15, seconds: HOUR } },
  /** Each emails an address that a buyer has typed. */
  emailBuyer: { perClient: { most: 20, seconds: HOUR } },
  /** S43: whoever tries stolen cards needs many tries. */
  pay: { perClient: { most: 20, seconds: HOUR }, perCustomer: { most: 5, seconds: HOUR } },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
/** The limits of one call, with every field readable. */
export const limitOf = (name: LimitName): Limit => limits[name];
