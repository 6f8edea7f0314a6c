import { expect, type Page } from '@playwright/test';
import { control } from '../control.ts';
import { keyboard } from '../keyboard.ts';
import { ending, type Say } from '../texts.ts';
import { orderScreen } from './order.ts';

type BtcpayLedger = { invoices: { invoice: string; address: string }[] };
type Method = 'promptpay' | 'bitcoin';

/** Intent id of the payment in an answer; other journeys show codes at the same time. */
async function intentOf(said: string): Promise<string> {
  const { payments } = await control<{ payments: { payment_intent: string }[] }>('ledger');
  return payments.find(one => said.includes(one.payment_intent.slice(-18).toUpperCase()))!.payment_intent;
}

/** Page object of the order page while it shows a code, and of what happens elsewhere meanwhile. */
export function scanScreen(page: Page, t: Say, method: Method, language = 'en') {
  const order = orderScreen(page, t, language);
  let said: Promise<string> = Promise.resolve('');
  const isPayment = /\/v1\/(order|payment|payLink)\//;
  // Includes the code of a past-due renewal, which starts on another page.
  page.on('response', answer => {
    if (!isPayment.test(answer.url())) return;
    const before = said;
    said = answer.text().then(
      text => (text.includes('"kind":"scan"') ? text : before),
      () => before,
    );
  });
  const shownAddress = async (): Promise<string> => {
    const text = await page.getByText(/bcrt1q\w{38}/).textContent();
    return /bcrt1q\w{38}/.exec(text ?? '')![0];
  };

  /** Invoice at BTCPay whose address the screen shows. */
  async function invoice(): Promise<string> {
    const shown = await shownAddress();
    const { invoices } = await control<BtcpayLedger>('btcpay/ledger');
    return invoices.find(one => one.address === shown)!.invoice;
  }

  const chosen = page.getByRole('radio', { name: t(`billing.method.${method}`) });

  return {
    order,
    title: page.getByRole('heading', { name: t(`order.scan.${method}.title`) }),
    code: page.getByRole('img', { name: t('order.scan.code') }),
    /** Text of the code by the API. */
    codeText: async () => /"kind":"scan","text":"([^"]+)"/.exec(await said)![1]!,
    shownAddress,
    /** Requested amount, in the unit of the currency that is sent. */
    async shownAmount(): Promise<string> {
      const text = await page
        .getByText(/\d\.\d{8}\s*BTC/)
        .last()
        .textContent();
      return /\d\.\d{8}/.exec(text ?? '')![0];
    },
    amount: page.getByText(t('order.scan.amount'), { exact: true }).locator('xpath=..'),
    timer: page.getByRole('timer'),
    part: page.getByText(ending(t('order.scan.part'))),
    waits: page.getByRole('heading', { name: t('order.scan.wait.title') }),
    gone: page.getByText(t('order.scan.gone')),
    prepaid: page.getByText(ending(t('order.scan.prepaid'))),
    renewed: page.getByText(t('order.scan.bitcoin.renewed')),
    over: page.getByText(t(`order.scan.${method}.over`)),
    renew: page.getByRole('button', { name: t(`order.scan.${method}.renew`) }),
    leave: page.getByRole('button', { name: t('order.scan.leave') }),
    save: page.getByRole('button', { name: t('order.scan.save') }),
    /** From the choice of the plan to the button that requests the code. */
    async ask(email: string) {
      await order.open();
      await order.email.fill(email);
      await chosen.check();
      await order.agree();
      await order.pay();
    },
    async begin(email: string) {
      await this.ask(email);
      await expect(this.code).toBeVisible();
    },
    /** Same as `ask`, by keyboard alone. */
    async beginByKeyboard(email: string) {
      const keys = keyboard(page);
      await order.open();
      await keys.type(order.email, email);
      await this.goOnByKeyboard();
    },
    /** From the focused form to the code, by keyboard alone. */
    async goOnByKeyboard() {
      const keys = keyboard(page);
      const terms = page.getByLabel(t('order.terms'));
      await keys.choose(page.locator('input[name="method"]:checked'), chosen);
      if (!(await terms.isChecked())) await keys.press(terms, 'Space');
      await expect(order.payButton).not.toHaveAttribute('aria-busy', 'true');
      await keys.press(order.payButton);
      await expect(this.code).toBeVisible();
    },
    invoice,
    send: async (share = 1) => void (await control('btcpay/pay', { invoice: await invoice(), share })),
    sendTo: async (of: string) => void (await control('btcpay/pay', { invoice: of })),
    /** Expires the payment at its provider. */
    async end() {
      if (method === 'bitcoin') await this.endOf(await invoice());
      else await control('promptpay/expire', { intent: await intentOf(await said) });
    },
    endOf: async (of: string) => void (await control('btcpay/expire', { invoice: of })),
    mine: async (of: string) => void (await control('btcpay/confirm', { invoice: of })),
    doubleSpend: async (of: string) => void (await control('btcpay/doubleSpend', { invoice: of })),
    /** Pays the code in a banking app. */
    payInApp: async () => void (await control('promptpay/pay', { intent: await intentOf(await said) })),
  };
}
