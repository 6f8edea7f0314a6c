import { type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInBothThemes } from '../../../../e2e/axe.ts';
import { openBrowser } from '../../../../e2e/browser.ts';
import { overflow } from '../../../../e2e/overflow.ts';
import { createSendCollected, createSendEmail } from '../../src/modules/email/index.ts';
import type { EmailTemplate, JobData, LoginChange } from '../../src/ports/jobs.ts';
import type { Email } from '../../src/ports/mailer.ts';
import { orderElsewhere } from '../checkout/replacing.ts';
import { buyPlan, orderPlan } from '../checkout/upgrading.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';
import { subscriber, takeUpAgain } from '../subscription/renewing.ts';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'FR:full' });
  customer = await shop.customer('canary-reader');
});
afterAll(() => shop?.stop());

/** Every email that these tests rendered. */
const all: { template: EmailTemplate; language: Language; at: string; html: string }[] = [];

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

/** Signs as a reader counts them. */
const graphemes = new Intl.Segmenter();

/** Structure of an email without its texts, language and links. */
const shapeOf = (html: string) =>
  html.replace(/>[^<]+(?=<)/g, '>-').replace(/ (?:lang|dir|href)="[^"]*"/g, '');

/** These emails leave at once. */
const noJobs = { enqueue: async () => {}, enqueueAll: async () => {} };

/** Renders an email as a customer would get it, in any language. */
function emailWriter(
  customerId: string,
  { refundAsks = 'address', isManual = false }: { refundAsks?: 'bank' | 'address'; isManual?: boolean } = {},
) {
  const sent: Email[] = [];
  const deps = {
    db: shop.db,
    clock: shop.clock,
    systemClock: shop.clock,
    jobs: noJobs,
    payToken: (invoiceId: string) => `${invoiceId}.pay`,
    undoEmailToken: (changeId: string) => `${changeId}.undo`,
    publicUrl: 'https://shop.example.com',
    collectionMethod: async () => (isManual ? ('sendInvoice' as const) : ('chargeAutomatically' as const)),
    willBeCharged: async () => !isManual,
    accepted: async () => undefined,
    refundAsks: async () =>
      refundAsks === 'bank'
        ? ({ kind: 'bank' } as const)
        : ({ kind: 'address', url: 'https://pay.example.com/refund' } as const),
    mailer: { send: async (message: Email) => void sent.push(message) },
    brand: { name: 'Ring & Co', support: 'help@example.com' },
  } satisfies Parameters<typeof createSendEmail>[0];
  const [sendEmail, sendCollected] = [createSendEmail(deps), createSendCollected(deps)];
  return async (
    language: Language,
    job: Pick<JobData['sendEmail'], 'template' | 'subjectId' | 'copy' | 'change'>,
  ) => {
    await shop.db.updateTable('customer').set({ language }).where('id', '=', customerId).execute();
    await sendEmail({ customerId, ...job });
    // It waits where the customer has several subscriptions.
    const batch = `${all.length}`;
    await shop.db
      .updateTable('collected_email')
      .set({ batch })
      .where('template', '=', job.template)
      .where('subject_id', '=', job.subjectId)
      .where('sent_at', 'is', null)
      .execute();
    await sendCollected({ customerId, batch });
    await shop.db.deleteFrom('collected_email').where('batch', '=', batch).execute();
    const message = sent.pop()!;
    const at = `${language} ${job.template} ${job.change ?? ''}`;
    expectWellWritten(message, language, at);
    all.push({ template: job.template, language, at, html: message.html });
    return message;
  };
}

function expectWellWritten(message: Email, language: Language, at: string): void {
  expect(message, at).toBeDefined();
  expect(message.html, at).toContain(`lang="${languages[language].tag}"`);
  expect(message.html, at).toContain('prefers-color-scheme: dark');
  const shown = wordsOf(message.html.replace(/<style>[\s\S]*?<\/style>/, ''));
  for (const paragraph of paragraphsOf(message.text)) expect(shown, at).toContain(paragraph);
  for (const part of [message.subject, message.text, shown]) {
    expect(part, at).not.toMatch(/[{}]|undefined|\[object/);
    expect(part, at).not.toContain('ค.ศ.');
  }
  expect(message.subject, at).not.toContain('canary');
  expect([...graphemes.segment(message.subject)].length, at).toBeLessThan(80);
}

test('every email is in the customer’s language in text and HTML, without a gap, and without their name in the subject', async () => {
  const { id, invoice } = await shop.db
    .selectFrom('subscription')
    .innerJoin('customer', 'customer.id', 'subscription.customer_id')
    .innerJoin('invoice', 'invoice.order_id', 'subscription.order_id')
    .select(['customer.id', 'invoice.id as invoice'])
    .where('subscription.id', '=', customer.subscriptionId)
    .executeTakeFirstOrThrow();
  const write = emailWriter(id);
  const { subscriptionId } = customer;
  const subjects: Partial<Record<EmailTemplate, string>> = {
    receipt: invoice,
    ready: subscriptionId,
    renewalAhead: subscriptionId,
    resumed: subscriptionId,
    serviceRestored: subscriptionId,
  };
  const names: EmailTemplate[] = [
    ...(['welcome', 'emailTaken', 'receipt', 'ready', 'passwordSet', 'sessionStolen'] as const),
    ...(['accountDisabled', 'accountClosed', 'accountDeleted', 'renewalAhead', 'resumed'] as const),
    'serviceRestored',
  ];
  const changes: LoginChange[] = ['passkeyAdded', 'passkeyRemoved', 'totpOn', 'totpOff', 'recoveryCodes'];
  for (const code of languageCodes) {
    for (const template of names) {
      const message = await write(code, { template, subjectId: subjects[template] ?? id });
      if (template === 'receipt') expect(message.text, code).toMatch(/THB\s[\d.,]+[.,]\d\d/);
    }
    for (const change of changes) await write(code, { template: 'loginChanged', subjectId: id, change });
    for (const template of ['teamJoined', 'teamRole', 'teamRemoved', 'urlEnded'] as const)
      await write(code, { template, subjectId: id });
  }
  const gift = ['days', 'give', subscriptionId, '5', '--reason', 'an outage', '--yes'];
  expect((await shopCommand(shop, ...gift)).code).toBe(0);
  const { version } = await shop.db
    .selectFrom('subscription_history')
    .select('version')
    .where('command', '=', 'giveDays')
    .executeTakeFirstOrThrow();
  for (const code of languageCodes)
    await write(code, { template: 'freeDays', subjectId: subscriptionId, copy: String(version) });
  for (const cause of ['staff', 'abuse'] as const) {
    const asked = [
      'subscription',
      'suspend',
      subscriptionId,
      '--cause',
      cause,
      '--reason',
      'open question',
      '--yes',
    ];
    expect((await shopCommand(shop, ...asked)).code).toBe(0);
    for (const code of languageCodes)
      await write(code, { template: 'serviceSuspended', subjectId: subscriptionId });
  }
  for (const cause of ['staff', 'abuse'])
    await shopCommand(
      shop,
      'subscription',
      'restore',
      subscriptionId,
      '--cause',
      cause,
      '--reason',
      'settled',
    );
});

test('the emails of a subscription that renews, is past due, is turned off and ends are complete in every language', async () => {
  const renewed = await subscriber(shop, 'renewed');
  const owing = await subscriber(shop, 'owing');
  await owing.cardIs('pm_card_chargeCustomerFail');
  // Later than the other subscription's last day.
  await renewed.at(-0.9);
  await owing.at(-0.9);
  const invoiceId = (await renewed.invoices()).at(-1)!.id;
  const everywhere = async (
    person: typeof owing,
    template: EmailTemplate,
    { subjectId = person.subscriptionId, isManual = false } = {},
  ) => {
    const write = emailWriter((await person.row()).customer_id, { isManual });
    const emails = [];
    for (const code of languageCodes) emails.push(await write(code, { template, subjectId }));
    return emails;
  };
  const pay = `/management/subscription/${owing.subscriptionId}/pay`;
  await everywhere(renewed, 'renewed', { subjectId: invoiceId });
  // A manual renewal is not announced as automatic.
  const ahead = await everywhere(renewed, 'renewalAhead');
  const manual = await everywhere(renewed, 'renewalAhead', { isManual: true });
  for (const [n, { subject }] of manual.entries()) expect(subject).not.toBe(ahead[n]!.subject);
  // Credit pays a part of the next invoice, then all of it.
  for (const credit of [50_00, 149_00]) {
    await renewed.credit(credit);
    await everywhere(renewed, 'renewalAhead');
  }
  // Not for a gift: its email is the same as without credit.
  const gift = (is_gift: boolean) =>
    shop.db.updateTable('subscription').set({ is_gift }).where('id', '=', renewed.subscriptionId).execute();
  await gift(true);
  const ofGift = await everywhere(renewed, 'renewalAhead', { isManual: true });
  expect(ofGift.map(({ text }) => text)).toEqual(manual.map(({ text }) => text));
  await gift(false);
  for (const { text } of await everywhere(owing, 'renewalFailed')) expect(text).toContain(pay);
  const tries = (n: number) =>
    shop.db.updateTable('subscription').set({ tries: n }).where('id', '=', owing.subscriptionId).execute();
  await tries(4);
  expect((await everywhere(owing, 'renewalFailed'))[languageCodes.indexOf('en')]!.text).toContain(
    'one last time',
  );
  await tries(1);
  // A charge that the bank refuses for good is not retried: the email asks for another card or a confirmation.
  const { id: pastDue } = (await owing.invoices()).at(-1)!;
  const charge = shop.db.updateTable('attempt').where('invoice_id', '=', pastDue);
  const write = emailWriter((await owing.row()).customer_id);
  const renewalFailed = () => write('en', { template: 'renewalFailed', subjectId: owing.subscriptionId });
  await charge.set({ hard: true }).execute();
  await everywhere(owing, 'renewalFailed');
  expect((await renewalFailed()).text).toMatch(
    /was refused[\s\S]*won’t try this payment method again[\s\S]*another one by/,
  );
  await charge.set({ asks_owner: true }).execute();
  await everywhere(owing, 'renewalFailed');
  expect((await renewalFailed()).text).toMatch(/bank wants you to confirm/);
  for (const { text } of await everywhere(owing, 'renewalDue'))
    expect(text).toContain(`/pay?token=${pastDue}.pay`);
  const prepaid = (amount: number) =>
    shop.db.updateTable('invoice').set({ prepaid: amount }).where('id', '=', pastDue).execute();
  await prepaid(50_00);
  for (const { text } of await everywhere(owing, 'paidInPart', { subjectId: pastDue }))
    expect(text).toContain(pay);
  await prepaid(0);
  const body = { id: owing.subscriptionId };
  await (await owing.now()).subscription.cancelSubscription({ body });
  await everywhere(owing, 'cancelled');
  await owing.at(0.1);
  await everywhere(owing, 'expired');
  const late = await subscriber(shop, 'late');
  await late.cardIs('pm_card_chargeCustomerFail');
  await late.at(0.1);
  await (await late.now()).subscription.cancelSubscription({ body: { id: late.subscriptionId } });
  await everywhere(late, 'cancelled');
  const leaving = await subscriber(shop, 'leaving');
  await (await leaving.now()).subscription.cancelSubscription({ body: { id: leaving.subscriptionId } });
  await everywhere(leaving, 'endsSoon');
});

test('the emails of an expiring card, a device, a reserved address and a reactivation are complete in every language', async () => {
  const coming = await subscriber(shop, 'coming');
  const { subscriptionId } = coming;
  const { customer_id } = await coming.row();
  let copy: string | undefined;
  const write = emailWriter(customer_id);
  const everywhere = async (template: EmailTemplate, subjectId: string, ...says: string[]) => {
    for (const code of languageCodes) {
      const { text } = await write(code, { template, subjectId, ...(copy && { copy }) });
      for (const words of says) expect(text, `${code} ${template}`).toContain(words);
    }
  };
  const client = await coming.now();
  const key = { subscriptionId, name: 'canary-phone', label: 'Anna’s phone & tablet' };
  const { id } = (await client.subscription.addKey({ body: key })).data!;
  await everywhere('keyAdded', id, key.label, `/management/subscription/${subscriptionId}`);
  await everywhere('keyForYou', id, key.label, '/file?token=');
  await everywhere('keyDeleted', id, key.label, `/management/subscription/${subscriptionId}`);
  const other = await client.subscription.addKey({ body: { subscriptionId, name: 'canary-laptop' } });
  for (const keyId of [other.data!.id, id])
    copy = (await client.subscription.downloadKey({ body: { subscriptionId, keyId } })).data!.validUntil;
  const page = `/management/subscription/${subscriptionId}`;
  await everywhere('fileExpiring', subscriptionId, key.label, 'canary-laptop', copy!.slice(0, 4), page);
  copy = undefined;
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
  await (await coming.now()).subscription.cancelSubscription({ body: { id: subscriptionId } });
  // A month has at most 31 days, and the address is reserved for 30 more.
  for (const days of [32, 63]) await coming.at(days);
  await takeUpAgain(shop, coming);
  await everywhere('reactivated', subscriptionId);
  expect((await write('en', { template: 'reactivated', subjectId: subscriptionId })).text).toContain(
    'new file',
  );
});

test('the email of a withdrawal is complete in every language', async () => {
  const gone = await subscriber(shop, 'gone');
  // Credit pays a part of the upgrade.
  await gone.credit(20_00);
  const plus = await orderPlan(gone.client, gone, 'plus');
  await buyPlan(gone.client, { ...plus, credit: 20_00 });
  await until(async () => (await gone.row()).devices === 5, 'the bigger plan');
  const of = { id: gone.subscriptionId, country: 'FR' };
  const { data: back } = await gone.client.subscription.withdrawal({ query: of });
  await gone.client.subscription.withdraw({ body: { ...of, back: back! } });
  const write = emailWriter((await gone.row()).customer_id);
  for (const code of languageCodes) {
    const message = await write(code, { template: 'withdrawn', subjectId: gone.subscriptionId });
    for (const amount of [back!.money, 20_00])
      expect(message.text, code).toMatch(
        new RegExp(`THB\\s${(amount / 100).toFixed(2).replace('.', '[.,]')}`),
      );
  }
});

test('the emails of a plan change are complete in every language', async () => {
  const changing = await subscriber(shop, 'changing');
  const client = await changing.now();
  const { customer_id } = await changing.row();
  await buyPlan(client, await orderPlan(client, changing, 'plus'));
  const upgraded = () => changing.invoices().then(all => all.find(({ purpose }) => purpose === 'upgrade'));
  await until(async () => (await changing.row()).devices === 5, 'the bigger plan');
  const invoice = (await upgraded())!.id;
  await client.subscription.planDowngrade({ body: { id: changing.subscriptionId, planId: 'solo' } });
  const write = emailWriter(customer_id);
  for (const code of languageCodes) {
    const message = await write(code, { template: 'upgraded', subjectId: invoice });
    expect(message.text, code).toContain('Plus');
    await write(code, { template: 'downgradePlanned', subjectId: changing.subscriptionId });
  }
  await client.subscription.planDowngrade({ body: { id: changing.subscriptionId, planId: null } });
  for (const code of languageCodes) {
    const message = await write(code, { template: 'downgradeUndone', subjectId: changing.subscriptionId });
    expect(message.subject, code).toContain('Plus');
  }
});

test('the emails of an announced price or VAT rate, and of a cancelled one, are complete in every language', async () => {
  const subscription = await subscriber(shop, 'told');
  const { subscriptionId: subjectId, firstEnd } = subscription;
  const from = new Date(firstEnd.getTime() + 86_400_000);
  const announced = { announced_renewal: 249_00, announced_renewal_from: from };
  const taxed = { announced_vat_rate_bp: 850, announced_vat_from: from };
  await shop.db
    .updateTable('subscription')
    .set({ ...announced, ...taxed })
    .where('id', '=', subjectId)
    .execute();
  const write = emailWriter((await subscription.row()).customer_id);
  const everywhere = async (template: EmailTemplate, ...says: RegExp[]) => {
    for (const code of languageCodes) {
      const { text } = await write(code, { template, subjectId });
      for (const words of says) expect(text, `${code} ${template}`).toMatch(words);
    }
  };
  await everywhere('priceChange', /THB\s199[.,]00/, /THB\s249[.,]00/, /management\/subscription/);
  await everywhere('vatChange', /7\s?%/, /8[.,]5\s?%/, /THB\s249[.,]00/);
  await everywhere('priceKept', /THB\s199[.,]00/);
});

test('the emails of refunds, credit, usage and a login on a new device are complete in every language', async () => {
  const { client, email, subscriptionId } = await shop.customer('given-back');
  const { id: customerId } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const write = emailWriter(customerId);
  const everywhere = async (template: EmailTemplate, subjectId: string, writeIt = write) => {
    for (const code of languageCodes) await writeIt(code, { template, subjectId });
  };
  const {
    id: invoiceId,
    number,
    seller,
  } = await shop.db
    .selectFrom('invoice')
    .select(['id', 'number', 'seller'])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  for (const kept of [[], ['--credit']]) {
    const part = ['refund', number!, '--amount', '20', '--reason', 'Sorry', ...kept];
    await confirmedCommand(shop, ...part);
  }
  const notes = await shop.db
    .selectFrom('credit_note')
    .leftJoin('refund', 'refund.credit_note_id', 'credit_note.id')
    .select(['credit_note.id', 'refund.id as refund'])
    .where('credit_note.customer_id', '=', customerId)
    .execute();
  expect(notes).toHaveLength(2);
  for (const { id } of notes) await everywhere('creditNote', id);
  const late = await until(
    () =>
      shop.db
        .selectFrom('document')
        .select('credit_note_id')
        .where('kind', '=', 'creditNote')
        .executeTakeFirst(),
    'a credit note is rendered',
  );
  for (const code of languageCodes)
    await write(code, { template: 'documentLate', subjectId: late.credit_note_id!, copy: 'creditNote' });
  const company = { name: 'Books Ltd', country: 'HK', line1: '1 Main Rd', recipients: ['books@example.com'] };
  await shop.db
    .updateTable('invoice')
    .set({ buyer: sql`buyer || ${JSON.stringify({ company })}::jsonb` })
    .execute();
  for (const code of languageCodes)
    await write(code, { template: 'invoiceCopy', subjectId: late.credit_note_id!, copy: 'creditNote-0' });
  const replacement = {
    id: 'replacement',
    invoice_id: invoiceId,
    customer_id: customerId,
    series: 'R',
    serial: 1,
    number: 'R-000001',
    numbered_on: '2026-11-29',
    replaces: number!,
    company,
    seller,
    reason: 'Wrong name',
    issued_at: new Date(),
    pdf: Buffer.from('%PDF'),
  };
  await shop.db.insertInto('invoice_replacement').values(replacement).execute();
  await everywhere('replaced', replacement.id);
  const refund = notes.find(note => note.refund)!.refund!;
  await everywhere('refunded', refund);
  await everywhere('refundFailed', refund);
  const failed = { status: 'failed' as const, ask_at: null };
  await shop.db.updateTable('refund').set(failed).where('id', '=', refund).execute();
  const unsent = notes.find(note => note.refund)!.id;
  await everywhere('creditNote', unsent);
  const byHand = ['refund', refund, '--by-hand', '--reason', 'To their bank'];
  await confirmedCommand(shop, ...byHand);
  const outOfBand = await shop.db.selectFrom('out_of_band_refund').select('id').executeTakeFirstOrThrow();
  await everywhere('refundedOutOfBand', outOfBand.id);
  await everywhere('refundAsks', refund);
  await everywhere('refundAsks', refund, emailWriter(customerId, { refundAsks: 'bank' }));
  const elsewhere = await orderElsewhere(client, { subscriptionId });
  await buyPlan(client, elsewhere);
  const prorated = await until(
    () =>
      shop.db
        .selectFrom('credit_note')
        .select('id')
        .where('customer_id', '=', customerId)
        .where('pays_invoice_id', 'is not', null)
        .executeTakeFirst(),
    'what is left pays for another',
  );
  await everywhere('creditNote', prorated.id);
  const { txn } = await shop.db
    .selectFrom('ledger_entry')
    .select('txn')
    .where('account', '=', 'credit')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await everywhere('credit', txn);
  expect(await shopCommand(shop, 'credit', customerId, '50', '--reason', 'late', '--yes')).toMatchObject({
    code: 0,
  });
  const given = await shop.db.selectFrom('goodwill').select('id').executeTakeFirstOrThrow();
  await everywhere('credit', `goodwill:${given.id}`);
  // An account that ends with credit: what was paid, what was a gift, and what staff have to settle.
  const created_at = shop.clock.now();
  const endings = ['notes-ended:x', 'goodwill-ended:x'].flatMap(ended => [
    { txn: ended, position: 0, account: 'credit' as const, amount: 1_00, customer_id: customerId },
    { txn: ended, position: 1, account: 'goodwill' as const, amount: -1_00, customer_id: null },
  ]);
  await shop.db
    .insertInto('ledger_entry')
    .values(endings.map(entry => ({ ...entry, currency: 'THB', created_at })))
    .execute();
  for (const code of languageCodes)
    for (const template of ['accountDeleted', 'accountDisabled'] as const) {
      const { text } = await write(code, { template, subjectId: customerId });
      expect(text.match(/THB/g), `${code} ${template}`).toHaveLength(3);
    }
  await shop.db
    .insertInto('usage_notice')
    .values({ subscription_id: subscriptionId, customer_id: customerId, month: '2026-11', percent: 80 })
    .execute();
  await everywhere('usageNear', subscriptionId);
  await everywhere('usageReached', subscriptionId);
  const session = await shop.db
    .selectFrom('session')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await everywhere('newSession', session.id);
});

test('U46 U68 every template was rendered, and each fits a narrow phone in both themes', async () => {
  // These templates are rendered by the tests of their own features.
  const elsewhere = ['code', 'accountExists', 'creditNote.disputed', 'group', 'invitation'];
  elsewhere.push('placeConfirm', 'placeFree', 'emailChanged');
  const named = Object.keys(written.emails.en).flatMap(key => /^(.*)\.subject$/.exec(key)?.[1] ?? []);
  const here = new Set<string>(all.map(({ template }) => template));
  expect(named.filter(name => !here.has(name) && !elsewhere.includes(name))).toEqual([]);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    const judged = new Set<string>();
    const drawn = variants(languageCodes, 4);
    for (const { language, at, html } of all) {
      if (!drawn.includes(language)) continue;
      await page.setContent(html);
      expect(await overflow(page), at).toEqual([]);
      // Emails of the same structure have the same colours in every text and language.
      const shape = shapeOf(html);
      if (!judged.has(shape)) expect(await violationsInBothThemes(page), at).toEqual([]);
      judged.add(shape);
    }
  } finally {
    await browser.close();
  }
}, 300_000);
