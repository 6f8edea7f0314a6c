/**
 * Envelope of every answer of `/v1/*`. `message` is for people who read logs, never for customers.
 */
export type Envelope<D = unknown> = {
  code: string;
  data?: D;
  message?: string;
  /** Access token (login) or socket token (order), where a call hands one out. */
  token?: string;
};

/** `data` of a 7004/7000 answer: text key of the message for each field. */
export type FieldErrors = { fields: Record<string, string> };
