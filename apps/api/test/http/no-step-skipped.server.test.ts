import { beginOrder, cardPaymentOf, confirmCard, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeIn, signUp } from '../helpers/people.ts';

/** S33: random paths through the steps, each compared with a model of what the previous steps allow. */
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const NEW_PASSWORD = 'kR7vQm2x!tulip';
const RUNS = { numRuns: 12, endOnFailure: true };
let people = 0;

type Step<Model extends object, Real> = fc.AsyncCommand<Model, Real>;
const step = <Model extends object, Real>(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
): fc.Arbitrary<Step<Model, Real>> =>
  fc.constant({ check: () => true, run: (model, real) => run(model as Model, real), toString: () => name });

test('S33 no path leads to a new password without the emailed code', async () => {
  type Model = { code: 'none' | 'sent' | 'used'; grant: 'none' | 'open' | 'used' };
  type Real = { email: string; flow: string; code: string; grant: string };
  const reset = (grant: string) =>
    shop.client.auth.resetPassword({ body: { grant, password: NEW_PASSWORD } });
  const verify = (flow: string, code: string) =>
    shop.client.auth.verifyResetPassword({ body: { flow, code } });

  const steps = [
    step<Model, Real>('ask for a code', async (model, real) => {
      const { code, data } = await shop.client.auth.requestResetPassword({ body: { email: real.email } });
      // The next code needs a proof of work.
      expect(code).toBe(model.code === 'none' ? '0000' : '9905');
      if (model.code !== 'none') return;
      [real.flow, real.code] = [data!.flow, await codeIn(shop, real.email, /set a new password/)];
      model.code = 'sent';
    }),
    step<Model, Real>('try the code', async (model, real) => {
      const { code, data } = await verify(real.flow, real.code || '000000');
      expect(code).toBe(model.code === 'sent' ? '0000' : '7007');
      if (model.code !== 'sent') return;
      real.grant = data!.grant;
      [model.code, model.grant] = ['used', 'open'];
    }),
    step<Model, Real>('try the code for another purpose', async (_model, { flow, code }) => {
      const other = await shop.client.customer.verifyUser({ body: { flow, code: code || '000000' } });
      expect(other.code).toBe('7007');
    }),
    step<Model, Real>('set the password with the flow', async (_model, { flow }) => {
      expect((await reset(flow || 'none')).code).toBe('8003');
    }),
    step<Model, Real>('set the password with the code', async (_model, { code }) => {
      expect((await reset(code || '000000')).code).toBe('8003');
    }),
    step<Model, Real>('set the first password with the grant', async (_model, { grant }) => {
      const bearer = { authorization: `Bearer ${grant || 'none'}` };
      const body = { password: NEW_PASSWORD };
      expect((await shop.client.auth.setPassword({ body }, bearer)).code).toBe('8003');
    }),
    step<Model, Real>('set the password with the grant', async (model, { grant }) => {
      expect((await reset(grant || 'none')).code).toBe(model.grant === 'open' ? '0000' : '8003');
      if (model.grant === 'open') model.grant = 'used';
    }),
    step<Model, Real>('log in', async (model, { email }) => {
      const logIn = (password: string) => shop.client.auth.login({ body: { email, password } });
      const [works, fails] = model.grant === 'used' ? [NEW_PASSWORD, PASSWORD] : [PASSWORD, NEW_PASSWORD];
      expect((await logIn(fails)).code).toBe('8005');
      expect((await logIn(works)).code).toBe('0000');
    }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 14, size: 'max' }), async commands => {
      people += 1;
      const { email } = await signUp(shop, `steps${people}@example.com`);
      const [model, real]: [Model, Real] = [
        { code: 'none', grant: 'none' },
        { email, flow: '', code: '', grant: '' },
      ];
      await fc.asyncModelRun(() => ({ model, real }), commands);
    }),
    RUNS,
  );
});

test('S33 no path leads to a subscription without the payment', async () => {
  type Model = { order: 'draft' | 'awaitingPayment' | 'paid' };
  type Real = Awaited<ReturnType<typeof beginOrder>> & { email: string; intent: string };
  const owned = async (email: string) =>
    (
      await shop.db
        .selectFrom('subscription')
        .innerJoin('customer', 'customer.id', 'subscription.customer_id')
        .select('subscription.id')
        .where('email', '=', email)
        .execute()
    ).length;

  const steps = [
    step<Model, Real>('submit', async (model, real) => {
      const body = { ...real.consent, email: real.email, language: 'en' as const };
      const { code, data } = await shop.client.order.purchase({ body });
      if (model.order === 'paid') return;
      expect(code).toBe('0000');
      real.intent = cardPaymentOf(data);
      model.order = 'awaitingPayment';
    }),
    step<Model, Real>('say that it was paid', async (model, { metadata }) => {
      const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
      if (model.order !== 'paid') expect(['paid', 'fulfilled']).not.toContain(data?.status);
    }),
    step<Model, Real>('look', async (model, { metadata }) => {
      const { data } = await shop.client.order.purchaseData({ body: { metadata } });
      if (model.order !== 'paid') expect(data?.subscription).toBeUndefined();
    }),
    step<Model, Real>('pay', async (model, real) => {
      if (model.order !== 'awaitingPayment') return;
      expect((await confirmCard(shop, real.intent)).status).toBe(200);
      await shop.client.order.confirmPurchase({ body: { metadata: real.metadata } });
      model.order = 'paid';
    }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 10, size: 'max' }), async commands => {
      people += 1;
      const email = `buyer${people}@example.com`;
      const model: Model = { order: 'draft' };
      const real: Real = { ...(await beginOrder(shop.client)), email, intent: '' };
      await fc.asyncModelRun(() => ({ model, real }), commands);
      if (model.order === 'paid') await until(async () => (await owned(email)) === 1, 'the subscription');
      else expect(await owned(email)).toBe(0);
    }),
    RUNS,
  );
});
