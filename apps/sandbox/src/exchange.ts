/**
 * A request to the sandbox with its answer; tests compare both with the providers' published
 * descriptions.
 */
export type Exchange = {
  method: string;
  path: string;
  query?: object;
  request: unknown;
  status: number;
  body: unknown;
};
export type OnExchange = ((exchange: Exchange) => void) | undefined;
