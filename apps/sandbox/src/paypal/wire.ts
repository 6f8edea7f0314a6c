import type * as Sdk from '@paypal/paypal-server-sdk';

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail>}`
    : `_${Lowercase<Head>}${Snake<Tail>}`
  : S;

/** A type of PayPal's library in wire form: names with underscores, enumerations as text. */
type Wire<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Name in keyof T as Snake<Name & string>]: Wire<T[Name]> }
      : T;

/** Makes members required that the sandbox always sets. */
type With<T, Name extends keyof T> = T & { [N in Name]-?: NonNullable<T[N]> };

export type Money = Wire<Sdk.Money>;
export type Link = Wire<Sdk.LinkDescription>;
export type Wallet = Wire<Sdk.PaypalWalletResponse>;
export type VaultAttribute = Wire<Sdk.PaypalWalletVaultResponse>;
export type ErrorDetail = Wire<Sdk.ErrorDetails>;

export type Capture = With<
  Wire<Sdk.CapturedPayment>,
  'id' | 'status' | 'amount' | 'custom_id' | 'invoice_id'
>;
export type Refund = With<Wire<Sdk.Refund>, 'id' | 'status' | 'amount' | 'create_time'>;
export type PaymentToken = With<Wire<Sdk.PaymentTokenResponse>, 'id' | 'customer'>;

type SdkUnit = Wire<Sdk.PurchaseUnit>;
type Unit = With<Omit<SdkUnit, 'payments'>, 'reference_id' | 'amount'> & {
  payments?: { captures?: Capture[]; refunds?: Refund[] };
};
export type Order = With<
  Omit<Wire<Sdk.Order>, 'purchase_units'>,
  'id' | 'status' | 'create_time' | 'links'
> & {
  purchase_units: [Unit];
};

/** Dispute in the form of PayPal's Disputes API; its library has no type of it. */
export type Dispute = {
  dispute_id: string;
  create_time: string;
  update_time: string;
  reason: string;
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'RESOLVED';
  dispute_amount: Money;
  dispute_life_cycle_stage: 'CHARGEBACK' | 'INQUIRY';
  /** Where the buyer complained: at PayPal, or at the bank of their card. */
  dispute_channel: 'INTERNAL' | 'EXTERNAL';
  dispute_outcome?: {
    outcome_code: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR';
    /** Amount for the buyer, which may be a part. */
    amount_refunded?: Money;
  };
  money_movements?: {
    affected_party: 'SELLER';
    type: 'DEBIT' | 'CREDIT';
    reason: 'DISPUTE_FEE';
    amount: Money;
    initiated_time: string;
  }[];
  seller_response_due_date: string;
  disputed_transactions: { seller_transaction_id: string; custom: string }[];
};

/** PayPal's webhook message; its library has no type of it. */
export type Event = {
  id: string;
  event_version: '1.0';
  create_time: string;
  resource_type: string;
  resource_version: string;
  event_type: string;
  summary: string;
  resource: object;
  links: Link[];
};

export type TransactionDetails = Wire<Sdk.TransactionDetails>;
