import { type ErrorName, errors } from '@fixpoint/contract/errors.ts';
import { languageCodes } from '@fixpoint/contract/languages.ts';
import { beginOrder, cardPaymentOf, confirmCard, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveBus } from '../../src/adapters/postgres-bus.ts';
import { setMaintenance } from '../../src/modules/text/index.ts';
import { startGate } from '../database/postgres-gate.ts';
import { proveHuman } from '../helpers/people.ts';

type Said = { status: number; code: string; data?: unknown; headers?: Headers };
type Customer = Awaited<ReturnType<TestShop['customer']>>;

let shop: TestShop;
let customer: Customer;
let keyId: string;
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('errors');
  const { subscriptionId } = customer;
  keyId = (await customer.client.subscription.addKey({ body: { subscriptionId, name: 'phone' } })).data!.id;
});
afterAll(() => shop?.stop());

const nobody = 'sub_00000000000000000000';
const addKey = (name: string, subscriptionId = customer.subscriptionId) =>
  customer.client.subscription.addKey({ body: { subscriptionId, name } });
const code = '000000';

/** Buys with a declined card. @returns the answer that the order page shows */
async function declined(card: string): Promise<Said> {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: 'declined@example.com', language: 'en' as const };
  const bought = await shop.client.order.purchase({ body });
  await confirmCard(shop, cardPaymentOf(bought.data), card);
  const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
  return { status: 400, code: data!.failure! };
}

const STAFF = 'its route comes with the staff area';

/**
 * A real request that causes each error of the catalogue, or the reason why this product cannot cause it yet. A new error
 * without an entry does not compile.
 */
const ways: Record<ErrorName, (() => Promise<Said>) | string> = {
  cardDeclined: () => declined('pm_card_visa_chargeDeclined'),
  insufficientFunds: () => declined('pm_card_visa_chargeDeclinedInsufficientFunds'),
  async keyLimitReached() {
    for (let i = 0; i < 32; i++) {
      const answer = await addKey(`device-${i}`);
      if (answer.code !== '0000') return answer;
    }
    throw new Error('no limit');
  },
  keyExists: () => addKey('phone'),
  async subscriptionNotActivated() {
    const status = (to: 'active' | 'provisioning') =>
      shop.db
        .updateTable('subscription')
        .set({ status: to })
        .where('id', '=', customer.subscriptionId)
        .execute();
    await status('provisioning');
    const answer = await addKey('early');
    await status('active');
    return answer;
  },
  subscriptionNotExpired: async () =>
    (await fresh()).order.getData({ query: { id: customer.subscriptionId } }),
  roleDuplicate: STAFF,
  productManagementDuplicate: STAFF,
  async emailExists() {
    const { version } = (await shop.client.text.getTerm()).data!;
    const humanCheck = await proveHuman(shop);
    return shop.client.customer.register({
      body: { email: customer.email, password: PASSWORD, termsVersion: version, language: 'en', humanCheck },
    });
  },
  termsExist: STAFF,
  policyExists: STAFF,
  emailNotFound: STAFF,
  userNotFound: STAFF,
  planNotFound: () => shop.client.order.getAllPlan({ query: { currency: 'EUR' } }),
  vendorNotFound: () => shop.client.order.getVendor({ query: { vendor: 'nobody' } }),
  productNotFound: () =>
    customer.client.subscription.planDowngrade({
      body: { id: customer.subscriptionId, planId: 'nobodys' },
    }),
  keyNotFound: () =>
    customer.client.subscription.deleteKey({
      body: { subscriptionId: customer.subscriptionId, keyId: 'key_00000000000000000000' },
    }),
  subscriptionNotFound: () => addKey('x', nobody),
  async cardNotFound() {
    const { consent } = await beginOrder(shop.client);
    return customer.client.order.purchaseLogin({ body: { ...consent, cardId: 'card_00000000000000000000' } });
  },
  passwordCondition: () =>
    shop.client.auth.setPassword({ body: { password: 'short' } }, { authorization: 'Bearer x' }),
  employeeCodeInvalid: STAFF,
  firstNameInvalid: STAFF,
  lastNameInvalid: STAFF,
  validationFailed: () => addKey('not a name'),
  async codeRequestsExceeded() {
    const ask = async (humanCheck?: string) =>
      shop.client.auth.requestResetPassword({ body: { email: customer.email, humanCheck } });
    await ask();
    return ask(await proveHuman(shop));
  },
  async codeWrong() {
    const { data } = await customer.client.auth.changePasswordOtp();
    const mail = await emailTo(shop, customer.email, /^\d{6}/);
    const wrong = mail.Subject.startsWith(code) ? '111111' : code;
    return customer.client.auth.verifyChangePassword({ body: { flow: data!.flow, code: wrong } });
  },
  codeExpired: () => shop.client.auth.verifyOTP({ body: { flow: 'nobodys', code } }),
  authenticationFailed: () =>
    shop.client.account.passkeyLogin({ body: { flow: 'nobodys', response: { id: 'AAAA', response: {} } } }),
  sessionExpired: () => shop.client.auth.profile(),
  forbidden: () => shop.client.auth.logout({}, { origin: 'https://evil.example' }),
  tokenInvalid: () => shop.client.auth.verifyToken({}, { authorization: 'Bearer nothing' }),
  async accessRestricted() {
    const { refreshToken } = (await logIn()).data!;
    shop.clock.advance(6 * 60_000);
    const { data } = await shop.client.auth.refresh({ body: { refreshToken } });
    const stale = createClient(shop.url, data!.accessToken);
    return stale.subscription.downloadKey({ body: { subscriptionId: customer.subscriptionId, keyId } });
  },
  credentialsWrong: () => shop.client.auth.login({ body: { email: customer.email, password: 'Wrong!234' } }),
  passwordWrong: async () =>
    fresh().then(({ auth }) =>
      auth.deleteAccount({ body: { action: 'delete', currentPassword: 'Wrong!234' } }),
    ),
  accountHasSubscription: async () =>
    fresh().then(({ auth }) => auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } })),
  userNotDeletable: STAFF,
  async unexpected() {
    await shop.db.schema.alterTable('vat_rate').renameTo('vat_rate_gone').execute();
    const answer = await shop.client.order.getAllPlan();
    await shop.db.schema.alterTable('vat_rate_gone').renameTo('vat_rate').execute();
    return answer;
  },
  notBuilt:
    'every call of the contract has its handler; one that is declared before it has one is answered so',
  async providerUnreachable() {
    const { consent } = await beginOrder(shop.client);
    await shop.sandbox.fault({ path: 'POST /v1/customers' }, 'drop', 10);
    const body = { ...consent, email: 'unreachable@example.com', language: 'en' as const };
    return shop.client.order.purchase({ body });
  },
  temporarilyUnavailable: () => withoutDatabase(client => client.order.getAllPlan()),
  async hostUnreachable() {
    const { subscription } = await fresh();
    shop.host.setDevices(undefined);
    const answer = await subscription.restartServer({ body: { id: customer.subscriptionId } });
    shop.host.setDevices([]);
    return answer;
  },
  async maintenance() {
    const { consent } = await beginOrder(shop.client);
    await setMaintenance(shop.db, liveBus, true);
    const says = async () => (await shop.client.text.getMaintainerStatus()).data;
    await until(async () => (await says()) === 'MAINTENANCE', 'the node to hear of it');
    const body = { ...consent, email: 'maintenance@example.com', language: 'en' as const };
    const answer = await shop.client.order.purchase({ body });
    await setMaintenance(shop.db, liveBus, false);
    return answer;
  },
  async tooManyRequests() {
    for (let i = 0; i < 30; i++) {
      const answer = await shop.client.auth.login({
        body: { email: 'guessed@example.com', password: 'Wrong!234' },
      });
      if (answer.status === 429) return answer;
    }
    throw new Error('no limit');
  },
  refreshRefused: () => shop.client.auth.refresh({ body: { refreshToken: 'nothing' } }),
};

const logIn = () => shop.client.auth.login({ body: { email: customer.email, password: PASSWORD } });
const fresh = async () => createClient(shop.url, (await logIn()).token!);
/** Starts a second shop whose database is unreachable. */
async function withoutDatabase(call: (client: TestShop['client']) => Promise<Said>): Promise<Said> {
  const database: TestDatabase = await createDatabase();
  const gate = await startGate(database.url);
  const other = await startTestShop({}, undefined, gate.database);
  gate.shut();
  try {
    return await call(other.client);
  } finally {
    gate.open();
    await other.stop();
    await gate.stop();
    await database.drop();
  }
}

const reachable = Object.entries(ways).filter(([, way]) => typeof way === 'function') as [
  ErrorName,
  () => Promise<Said>,
][];

test.each(reachable)('%s is answered with its code and its HTTP status', async (name, way) => {
  const { status, code: said } = await way();
  expect({ status, code: said }).toEqual({ status: errors[name].status, code: errors[name].code });
});

test('errors that nothing causes yet belong to the staff area and other named parts', () => {
  const others = Object.entries(ways).filter(([, way]) => typeof way === 'string' && way !== STAFF);
  expect(others.map(([name]) => name)).toEqual(['notBuilt']);
});

test('every code has its text in all 13 languages', async () => {
  const codes = new Set(Object.values(errors).map(entry => entry.code));
  codes.delete(errors.refreshRefused.code); // never shown, because the client opens the login page
  for (const lang of languageCodes) {
    const { data } = await shop.client.text.uiText({ query: { lang } });
    for (const one of codes)
      expect(data!.uiText?.[`errorCode.${one}`]?.length, `${lang} ${one}`).toBeGreaterThan(3);
  }
});
