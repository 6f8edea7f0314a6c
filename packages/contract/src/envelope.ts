/** Every answer of `/v1/*`. `message` is for people reading logs, never for customers. */
export type Envelope<D = unknown> = {
  code: string;
  data?: D;
  message?: string;
  /** Access token (login) or socket token (order), where a call hands one out. */
  token?: string;
};

/** `data` of a 7004/7000 answer: which field, and the key of the text to show beside it. */
export type FieldErrors = { fields: Record<string, string> };
