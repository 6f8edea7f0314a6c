/** Refusal of BTCPay: `{code, message}`, or a list of `{path, message}` for invalid parameters. */
export class BtcpayRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, code: string, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.body = { code, message, ...more };
  }
}

export class WrongParameters extends BtcpayRefusal {
  override readonly body: { path: string; message: string }[];

  constructor(faults: { path: string; message: string }[]) {
    super(422, 'validation-error', faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.body = faults;
  }
}

export const notFound = (what: 'invoice' | 'pullpayment' | 'payout' | 'store'): BtcpayRefusal =>
  new BtcpayRefusal(404, `${what}-not-found`, `The ${what} was not found`);
