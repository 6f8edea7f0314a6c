/** What was asked of a stand-in and what it answered; tests hold both against what the provider publishes of itself. */
export type Exchange = {
  method: string;
  path: string;
  query?: object;
  request: unknown;
  status: number;
  body: unknown;
};
export type OnExchange = ((exchange: Exchange) => void) | undefined;
