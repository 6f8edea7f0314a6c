import { calls, type ShopCalls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';

/** Ids of a customer's things, as calls name them. `unknown` has the same shapes and refers to nothing. */
export type Things = {
  subscription: string;
  key: string;
  invoice: string;
  document: string;
  card: string;
  session: string;
  invitation: string;
  user: string;
  passkey: string;
  flow: string;
  /** Metadata with the right check value; `forged` has the right reference and a wrong value. */
  metadata: string;
  forged: string;
  reference: string;
};

const NOBODY_KNOWS = '0'.repeat(20);
/** Well-formed ids that nobody has. */
export const nobodys: Things = {
  subscription: `sub_${NOBODY_KNOWS}`,
  key: `key_${NOBODY_KNOWS}`,
  invoice: `inv_${NOBODY_KNOWS}`,
  document: `doc_${NOBODY_KNOWS}`,
  card: `card_${NOBODY_KNOWS}`,
  session: `ses_${NOBODY_KNOWS}`,
  invitation: `ivt_${NOBODY_KNOWS}`,
  user: `cus_${NOBODY_KNOWS}`,
  passkey: 'A'.repeat(22),
  flow: 'A'.repeat(43),
  metadata: '',
  forged: '',
  reference: '00000000-0000-0000-0000-000000000000',
};

/** An unknown id for any name. */
export const noThings = new Proxy({} as Things, { get: (_, name) => `none-of-${String(name)}` });

export type Input = { body?: unknown; query?: Record<string, string>; params?: Record<string, string> };

/** A call that names nobody's things. */
const plain = (input: Input = {}) => ({ input: () => input });
/** A call that names a customer's thing; another customer's must look unknown. */
const owned = (input: (things: Things) => Input) => ({ input, owned: true as const });
/** A call whose id is a secret that grants access (decision 0005): nobody else has it, and a forged one is refused. */
const secret = (input: (things: Things) => Input) => ({ input, secret: true as const });
export type Sample = { input(things: Things): Input; owned?: true; secret?: true };

const SAMPLE_PASSWORD = 'Guess!ng1234';
const grant = 'A'.repeat(43);
const response = { id: 'AAAA', response: {} };
const place = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
const consent = (metadata: string) => ({
  metadata,
  paymentMethod: 'card',
  termsVersion: 'of-no-terms',
  price: { currency: 'THB', price: 1 },
});

/**
 * One well-formed request per call of the contract. Passwords and codes are wrong on purpose: the matrix tests access, and
 * must not change the accounts.
 */
export const samples: { [M in keyof ShopCalls]: { [N in keyof ShopCalls[M]]: Sample } } = {
  auth: {
    refresh: plain({ body: { refreshToken: grant } }),
    login: plain({ body: { email: 'nobody@example.com', password: SAMPLE_PASSWORD } }),
    logout: plain({ body: { refreshToken: grant } }),
    profile: plain(),
    requestResetPassword: plain({ body: { email: 'nobody@example.com' } }),
    verifyResetPassword: owned(({ flow }) => ({ body: { flow, code: '000000' } })),
    resetPassword: plain({ body: { grant, password: SAMPLE_PASSWORD } }),
    verifyToken: plain(),
    setPassword: plain({ body: { password: SAMPLE_PASSWORD } }),
    requestOTP: plain({ body: { flow: 'nobodys' } }),
    verifyOTP: plain({ body: { flow: 'nobodys', code: '000000' } }),
    changePasswordOtp: plain({ body: {} }),
    verifyChangePassword: owned(({ flow }) => ({ body: { flow, code: '000000' } })),
    changePassword: plain({ body: { grant, currentPassword: SAMPLE_PASSWORD, password: SAMPLE_PASSWORD } }),
    deleteAccount: plain({ body: { action: 'delete', currentPassword: SAMPLE_PASSWORD } }),
  },
  customer: {
    register: plain({
      body: { email: 'matrix@example.com', password: SAMPLE_PASSWORD, termsVersion: 'none', language: 'en' },
    }),
    verifyUser: plain({ body: { flow: 'nobodys', code: '000000' } }),
  },
  account: {
    sessions: plain(),
    endSession: owned(({ session }) => ({ body: { id: session } })),
    endOtherSessions: plain({ body: {} }),
    setLanguage: plain({ body: { language: 'en' } }),
    setEmails: plain({ body: { off: [] } }),
    setName: plain({ body: { name: 'Matrix' } }),
    setAccountName: plain({ body: { name: 'Matrix' } }),
    changeEmail: plain({ body: { email: 'matrix@example.com' } }),
    confirmEmail: owned(({ flow }) => ({ body: { flow, code: '000000' } })),
    emailChange: plain(),
    undoEmail: plain({ body: {} }),
    exportData: plain(),
    exportAccount: plain(),
    passkeys: plain(),
    addPasskeyOptions: plain({ body: {} }),
    addPasskey: plain({ body: { flow: 'nobodys', name: 'Laptop', response } }),
    removePasskey: owned(({ passkey }) => ({ body: { id: passkey } })),
    passkeyLoginOptions: plain({ body: {} }),
    passkeyLogin: plain({ body: { flow: 'nobodys', response } }),
    beginTotp: plain({ body: {} }),
    confirmTotp: plain({ body: { code: '000000' } }),
    newRecoveryCodes: plain({ body: {} }),
    removeTotp: plain({ body: {} }),
    stepUpOptions: plain({ body: {} }),
    stepUp: plain({ body: { method: 'password', password: SAMPLE_PASSWORD } }),
    humanCheck: plain(),
  },
  text: {
    getMaintainerStatus: plain(),
    uiText: plain({ query: { lang: 'en' } }),
    getTerm: plain(),
    getPolicy: plain(),
  },
  order: {
    getAllPlan: plain(),
    getVendor: plain(),
    getProduct: plain({ body: { planId: 'solo', cycleCount: 1, ...place, currency: 'THB' } }),
    getMetaData: plain({ body: { productId: 'nothing', currency: 'THB' } }),
    purchase: secret(({ forged }) => ({
      body: { ...consent(forged), email: 'matrix@example.com', language: 'en' },
    })),
    purchaseLogin: secret(({ forged }) => ({ body: consent(forged) })),
    purchaseReactivate: secret(({ forged }) => ({ body: consent(forged) })),
    confirmPurchase: secret(({ forged }) => ({ body: { metadata: forged } })),
    purchaseData: secret(({ forged }) => ({ body: { metadata: forged } })),
    getData: owned(({ subscription }) => ({ query: { id: subscription } })),
    getReplacement: owned(({ subscription }) => ({ query: { id: subscription } })),
    getPaymentMethod: secret(({ key }) => ({ query: { id: key } })),
  },
  guest: {
    changeEmail: secret(({ forged }) => ({ body: { metadata: forged, email: 'matrix@example.com' } })),
    sendAgain: secret(({ forged }) => ({ body: { metadata: forged } })),
    askPlaceNotice: plain({ body: { regionId: 'th-bkk', email: 'matrix@example.com' } }),
    placeNotice: plain({ body: { token: grant } }),
    confirmPlaceNotice: plain({ body: { token: grant } }),
    deletePlaceNotice: plain({ body: { token: grant } }),
  },
  billing: {
    listMyBilling: plain({ body: {} }),
    billedYears: plain(),
    getCompany: plain(),
    setCompany: plain({ body: { company: null } }),
    exportInvoices: plain({ body: { year: 2026, format: 'csv' } }),
    myBilling: plain(),
    getBilling: owned(({ invoice }) => ({ params: { id: invoice } })),
    getDocument: owned(({ document }) => ({ params: { id: document } })),
  },
  payment: {
    getCard: plain(),
    updPayment: plain({ body: { setupIntent: 'seti_nobodys' } }),
    payment: owned(({ invoice, card }) => ({
      body: { invoiceId: invoice, paymentMethod: 'card', cardId: card },
    })),
    askInvoice: owned(({ invoice }) => ({ body: { invoiceId: invoice } })),
  },
  payLink: {
    invoice: plain({ body: {} }),
    pay: plain({ body: { paymentMethod: 'card' } }),
    ask: plain({ body: {} }),
  },
  subscription: {
    mySubscription: plain({ body: {} }),
    renameSubscription: owned(({ subscription }) => ({ body: { id: subscription, label: 'Office' } })),
    getSubscription: owned(({ subscription }) => ({ query: { id: subscription } })),
    connected: plain(),
    diagnose: owned(({ subscription }) => ({
      body: { id: subscription, deviceTime: '2026-11-20T05:00:00.000Z' },
    })),
    restartServer: owned(({ subscription }) => ({ body: { id: subscription } })),
    linkKey: owned(({ subscription, key }) => ({ body: { subscriptionId: subscription, keyId: key } })),
    fetchKey: plain({ body: {} }),
    cancelSubscription: owned(({ subscription }) => ({ body: { id: subscription, undo: true } })),
    planDowngrade: owned(({ subscription }) => ({ body: { id: subscription, planId: null } })),
    withdrawal: owned(({ subscription }) => ({ query: { id: subscription, country: 'DE' } })),
    withdraw: owned(({ subscription }) => ({
      body: { id: subscription, country: 'DE', back: { currency: 'THB', money: 1, credit: 0 } },
    })),
    addKey: owned(({ subscription }) => ({ body: { subscriptionId: subscription, name: 'matrix' } })),
    addKeyFor: owned(({ subscription, user }) => ({
      body: { subscriptionId: subscription, userId: user, name: 'matrix-for' },
    })),
    deleteKey: owned(({ subscription, key }) => ({ body: { subscriptionId: subscription, keyId: key } })),
    downloadKey: owned(({ subscription, key }) => ({ body: { subscriptionId: subscription, keyId: key } })),
    getBandwidth: owned(({ subscription }) => ({ params: { id: subscription } })),
    forwardPort: owned(({ subscription, key }) => ({
      body: { id: subscription, forward: { port: 8080, keyId: key } },
    })),
    adjustBw: owned(({ subscription, key }) => ({
      body: { id: subscription, keys: [{ id: key, rateMbit: 1 }] },
    })),
    measure: owned(({ subscription }) => ({ body: { id: subscription } })),
  },
  team: {
    people: plain(),
    ownDevices: plain(),
    actions: plain(),
    invite: plain({ body: { email: 'matrix-guest@example.com', role: 'buyer' } }),
    resendInvitation: owned(({ invitation }) => ({ body: { id: invitation } })),
    withdrawInvitation: owned(({ invitation }) => ({ body: { id: invitation } })),
    getInvitation: plain(),
    acceptInvitation: plain({ body: { password: SAMPLE_PASSWORD, language: 'en', termsVersion: 'none' } }),
    joinTeam: plain({ body: { invitation: grant } }),
    setRole: owned(({ user }) => ({ body: { userId: user, role: 'buyer' } })),
    remove: owned(({ user }) => ({ body: { userId: user } })),
    leave: plain({ body: {} }),
    handOver: owned(({ user }) => ({ body: { userId: user } })),
    switchCustomer: owned(({ user }) => ({ body: { customerId: user } })),
    allowances: owned(({ subscription }) => ({ query: { subscriptionId: subscription } })),
    setAllowance: owned(({ subscription, user }) => ({
      body: { subscriptionId: subscription, userId: user, devices: 1 },
    })),
  },
  member: {
    subscriptions: plain(),
    subscription: owned(({ subscription }) => ({ query: { id: subscription } })),
  },
  allowList: {
    addresses: plain(),
    exportAddresses: plain(),
    setUrl: plain({ body: { on: false } }),
  },
};

export type Call = { name: string; endpoint: Endpoint; sample: Sample | undefined };

/** Every call of the contract; a new call without a sample is included, and fails. */
export const allCalls: Call[] = Object.entries(calls).flatMap(([module, group]) =>
  Object.entries(group as Record<string, Endpoint>).map(([name, endpoint]) => ({
    name: `${module}.${name}`,
    endpoint,
    sample: (samples as Record<string, Record<string, Sample>>)[module]?.[name],
  })),
);

/** Calls that name a customer's thing. */
export const ownedCalls = allCalls.filter(({ sample }) => sample?.owned || sample?.secret);

/** All calls except the one that ends the session, after which the others would fail. */
export const callsOfOneSession = allCalls.filter(({ name }) => name !== 'auth.logout');

type AnyClient = Record<
  string,
  Record<string, (input: Input, headers?: Record<string, string>) => Promise<Answer>>
>;
export type Answer = { status: number; code: string; message?: string; data?: unknown };

/** Sends a call by its name. @returns the answer without headers and error reference, which always differ */
export async function send(client: TestClient, name: string, input: Input): Promise<Answer> {
  const [module, call] = name.split('.') as [string, string];
  const { status, code, message, data } = await (client as unknown as AnyClient)[module]![call]!(input);
  return { status, code, ...(message && { message }), ...(data !== undefined && { data }) };
}
