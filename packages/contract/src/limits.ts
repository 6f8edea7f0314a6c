type Limit = {
  /** Calls from one address (of IPv6: from one /64 network). */
  perClient?: { most: number; seconds: number };
  /** Calls of one customer. */
  perCustomer?: { most: number; seconds: number };
  /** Code of the refusal; 9905 unless one-time codes are limited (7005). */
  refusal?: 'codeRequestsExceeded';
  /** Wants a proof of work while the whole shop is under attack (S09). */
  guarded?: true;
};

const HOUR = 3600;

/**
 * Limits of calls, named where a call is declared (`limit`). Beyond them: a wrong password or app code makes the next
 * try at that account wait (S13), a one-time code bears five tries (S07) and is sent only so often (S08). An address is
 * counted under a name that changes daily and cannot be turned back; nothing of it is stored.
 */
export const limits = {
  login: { perClient: { most: 100, seconds: HOUR }, guarded: true },
  sendCode: { perClient: { most: 20, seconds: HOUR }, refusal: 'codeRequestsExceeded', guarded: true },
  tryCode: { perClient: { most: 100, seconds: HOUR }, guarded: true },
  setPassword: { perClient: { most: 60, seconds: HOUR } },
  humanCheck: { perClient: { most: 300, seconds: HOUR } },
  confirm: { perCustomer: { most: 30, seconds: HOUR } },
  downloadKey: { perCustomer: { most: 60, seconds: HOUR } },
  /** S43: whoever tries stolen cards needs many tries. */
  pay: { perClient: { most: 20, seconds: HOUR }, perCustomer: { most: 5, seconds: HOUR } },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
/** The limits of one call, with every field readable. */
export const limitOf = (name: LimitName): Limit => limits[name];
