import { type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSendMail } from '../src/mail/send-mail.ts';
import type { JobData, LoginChange, MailName } from '../src/ports/jobs.ts';
import type { Letter } from '../src/ports/mailer.ts';
import { subscriber, takeUpAgain } from './renewing.ts';
import { buyPlan, orderPlan } from './upgrading.ts';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'FR:full' });
  customer = await shop.customer('canary-reader');
});
afterAll(() => shop?.stop());

const paragraphsOf = (text: string) =>
  text.split('\n\n').filter(part => !part.includes('\n') && !/https?:/.test(part));
const wordsOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex, decimal) =>
      String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** A letter as it would leave for a customer, in a language of his. */
function letterWriter(customerId: string) {
  const sent: Letter[] = [];
  const sendMail = createSendMail({
    ...{ db: shop.db, clock: shop.clock, publicUrl: 'https://shop.example.com' },
    renewsByItself: async () => true,
    refundAsks: async () => ({ kind: 'address', url: 'https://pay.example.com/refund' }),
    mailer: { send: async letter => void sent.push(letter) },
    brand: { name: 'Ring & Co', support: 'help@example.com' },
  });
  return async (language: Language, job: Pick<JobData['sendMail'], 'mail' | 'subjectId' | 'change'>) => {
    await shop.db.updateTable('customer').set({ language }).where('id', '=', customerId).execute();
    await sendMail({ customerId, ...job });
    const letter = sent.pop()!;
    expectWellWritten(letter, language, `${language} ${job.mail} ${job.change ?? ''}`);
    return letter;
  };
}

function expectWellWritten(letter: Letter, language: Language, at: string): void {
  expect(letter, at).toBeDefined();
  expect(letter.html, at).toContain(`lang="${languages[language].tag}"`);
  expect(letter.html, at).toContain('prefers-color-scheme: dark');
  const shown = wordsOf(letter.html.replace(/<style>[\s\S]*?<\/style>/, ''));
  for (const paragraph of paragraphsOf(letter.text)) expect(shown, at).toContain(paragraph);
  for (const part of [letter.subject, letter.text, shown]) {
    expect(part, at).not.toMatch(/[{}]|undefined|\[object/);
    expect(part, at).not.toContain('ค.ศ.');
  }
  expect(letter.subject, at).not.toContain('canary');
  expect(letter.subject.length, at).toBeLessThan(80);
}

test('every letter speaks the customer’s language in text and HTML, without a gap or a name of his in the subject', async () => {
  const { id, invoice } = await shop.db
    .selectFrom('subscription')
    .innerJoin('customer', 'customer.id', 'subscription.customer_id')
    .innerJoin('invoice', 'invoice.order_id', 'subscription.order_id')
    .select(['customer.id', 'invoice.id as invoice'])
    .where('subscription.id', '=', customer.subscriptionId)
    .executeTakeFirstOrThrow();
  const write = letterWriter(id);
  const { subscriptionId } = customer;
  const subjects: Partial<Record<MailName, string>> = {
    ...{ receipt: invoice, ready: subscriptionId },
    ...{ renewalAhead: subscriptionId, resumed: subscriptionId },
  };
  const names: MailName[] = [
    ...(['welcome', 'receipt', 'ready', 'passwordSet', 'sessionStolen'] as const),
    ...(['accountDisabled', 'accountDeleted', 'renewalAhead', 'resumed'] as const),
  ];
  const changes: LoginChange[] = ['passkeyAdded', 'passkeyRemoved', 'totpOn', 'totpOff', 'recoveryCodes'];
  for (const code of languageCodes) {
    for (const mail of names) {
      const letter = await write(code, { mail, subjectId: subjects[mail] ?? id });
      if (mail === 'receipt') expect(letter.text, code).toMatch(/THB\s[\d.,]+[.,]\d\d/);
    }
    for (const change of changes) await write(code, { mail: 'loginChanged', subjectId: id, change });
  }
});

test('so does every letter of a subscription that is renewed, owed, turned off and ends', async () => {
  const renewed = await subscriber(shop, 'renewed');
  const owing = await subscriber(shop, 'owing');
  await owing.cardIs('pm_card_chargeCustomerFail');
  // Later than the other one's last day, too.
  await renewed.at(-0.9);
  await owing.at(-0.9);
  const invoiceId = (await renewed.invoices()).at(-1)!.id;
  const everywhere = async (person: typeof owing, mail: MailName, subjectId = person.subscriptionId) => {
    const write = letterWriter((await person.row()).customer_id);
    for (const code of languageCodes) await write(code, { mail, subjectId });
  };
  await everywhere(renewed, 'renewed', invoiceId);
  await everywhere(owing, 'renewalFailed');
  await everywhere(owing, 'renewalDue');
  const body = { id: owing.subscriptionId };
  await (await owing.now()).subscription.cancelSubscription({ body });
  await everywhere(owing, 'cancelled');
  await owing.at(0.1);
  await everywhere(owing, 'expired');
});

test('so does every letter of a card that runs out, a device, an address that is held, and what is taken up again', async () => {
  const coming = await subscriber(shop, 'coming');
  const { subscriptionId } = coming;
  const { customer_id } = await coming.row();
  const write = letterWriter(customer_id);
  const everywhere = async (mail: MailName, subjectId: string, ...says: string[]) => {
    for (const code of languageCodes) {
      const { text } = await write(code, { mail, subjectId });
      for (const words of says) expect(text, `${code} ${mail}`).toContain(words);
    }
  };
  const client = await coming.now();
  const key = { subscriptionId, name: 'canary-phone', label: 'Anna’s phone & tablet' };
  const { id } = (await client.subscription.addKey({ body: key })).data!;
  await everywhere('keyAdded', id, key.label, `/management/subscription/${subscriptionId}`);
  await until(async () => (await client.payment.getCard()).data!.cards.length > 0, 'the card that paid');
  await shop.db
    .updateTable('saved_method')
    .set({ expiry_year: 2020, expiry_month: 1 })
    .where('customer_id', '=', customer_id)
    .execute();
  await everywhere('cardExpiring', subscriptionId, '•••• 4242', '2020', '/management/billing');
  await client.subscription.cancelSubscription({ body: { id: subscriptionId } });
  await coming.at(0.1);
  const found = await (await coming.now()).subscription.getSubscription({ query: { id: subscriptionId } });
  const address = found.data!.address!;
  await everywhere('addressHeld', subscriptionId, address);
  await takeUpAgain(shop, coming);
  await everywhere('reactivated', subscriptionId, address);
});

test('so does the letter of a contract that was withdrawn from', async () => {
  const gone = await subscriber(shop, 'gone');
  const of = { id: gone.subscriptionId, country: 'FR' };
  const { data: back } = await gone.client.subscription.withdrawal({ query: of });
  await gone.client.subscription.withdraw({ body: { ...of, back: back! } });
  const write = letterWriter((await gone.row()).customer_id);
  for (const code of languageCodes) {
    const letter = await write(code, { mail: 'withdrawn', subjectId: gone.subscriptionId });
    expect(letter.text, code).toMatch(/THB\s199[.,]00/);
  }
});

test('so does every letter of a subscription that gets another plan', async () => {
  const changing = await subscriber(shop, 'changing');
  const client = await changing.now();
  const { customer_id } = await changing.row();
  await buyPlan(client, await orderPlan(client, changing, 'plus'));
  const upgraded = () => changing.invoices().then(all => all.find(({ purpose }) => purpose === 'upgrade'));
  await until(async () => (await changing.row()).devices === 5, 'the bigger plan');
  const invoice = (await upgraded())!.id;
  await client.subscription.planDowngrade({ body: { id: changing.subscriptionId, planId: 'solo' } });
  const write = letterWriter(customer_id);
  for (const code of languageCodes) {
    const letter = await write(code, { mail: 'upgraded', subjectId: invoice });
    expect(letter.text, code).toContain('Plus');
    await write(code, { mail: 'downgradePlanned', subjectId: changing.subscriptionId });
  }
  await client.subscription.planDowngrade({ body: { id: changing.subscriptionId, planId: null } });
  for (const code of languageCodes) {
    const letter = await write(code, { mail: 'downgradeUndone', subjectId: changing.subscriptionId });
    expect(letter.subject, code).toContain('Plus');
  }
});

test('so does every letter of a price or a VAT that becomes another, and of one that does not after all', async () => {
  const told = await subscriber(shop, 'told');
  const { subscriptionId: subjectId, firstEnd } = told;
  const from = new Date(firstEnd.getTime() + 86_400_000);
  const announced = { announced_renewal: 249_00, announced_renewal_from: from };
  const taxed = { announced_vat_rate_bp: 850, announced_vat_from: from };
  await shop.db
    .updateTable('subscription')
    .set({ ...announced, ...taxed })
    .where('id', '=', subjectId)
    .execute();
  const write = letterWriter((await told.row()).customer_id);
  const everywhere = async (mail: MailName, ...says: RegExp[]) => {
    for (const code of languageCodes) {
      const { text } = await write(code, { mail, subjectId });
      for (const words of says) expect(text, `${code} ${mail}`).toMatch(words);
    }
  };
  await everywhere('priceChange', /THB\s199[.,]00/, /THB\s249[.,]00/, /management\/subscription/);
  await everywhere('vatChange', /7\s?%/, /8[.,]5\s?%/, /THB\s249[.,]00/);
  await everywhere('priceKept', /THB\s199[.,]00/);
});
