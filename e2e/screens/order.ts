import { expect, type Page } from '@playwright/test';
import { testStack } from '../env.ts';
import type { keyboard } from '../keyboard.ts';
import type { Say } from '../texts.ts';

/** Test cards of the sandbox. */
export const cards = {
  good: '4242424242424242',
  another: '5555555555554444',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  wrongCode: '4000000000000127',
  needsConfirmation: '4000000000003220',
  /** Can be saved all the same. */
  refusesCharges: '4000000000000341',
};

/** Page object of `/order`. */
export function orderScreen(page: Page, t: Say, language = 'en') {
  // The payment page in its frame, and in it the provider's frames with the fields.
  const pay = page.frameLocator('iframe[src$="/pay.html"]');
  const cardInput = (field: 'number' | 'expiry' | 'cvc', name: string) =>
    pay.locator(`#card-${field}`).frameLocator('iframe').locator(`input[name="${name}"]`);
  /** The provider's fields load when they are in view or a person does anything on the page. */
  const cardReady = async () => {
    await page.getByLabel(t('order.card.name')).waitFor();
    await page.keyboard.press('Shift');
    for (const field of ['number', 'expiry', 'cvc']) {
      await expect(pay.locator(`#card-${field}`)).toHaveAttribute('aria-busy', 'false');
    }
  };
  // Found by its place: its name changes while paying, and in some languages begins with the amount.
  const payButton = page.locator('main form button[type=submit]');
  const question = pay.locator('iframe[title="3D Secure"]');

  const card = page.getByRole('radio', { name: t('plans.pay.card') });
  const paypal = page.getByRole('radio', { name: t('billing.method.paypal') });
  const company = page.getByLabel(t('company.tick'));
  /** A saved card, by its last digits. */
  const savedCard = (digits: string) => page.getByRole('radio', { name: `•••• ${digits}` });

  const terms = page.getByLabel(t('order.terms'));
  const answerOf = (answer: 'complete' | 'fail') => question.contentFrame().getByTestId(`3ds-${answer}`);

  return {
    payButton,
    card,
    paypal,
    company,
    savedCard,
    chooseCard: () => card.check(),
    choosePaypal: () => paypal.check(),
    payDocument: pay,
    cardReady,
    /** The bank's 3-D Secure question, over the whole page. */
    question,
    email: page.getByRole('textbox', { name: t('order.email.label') }),
    cardNumber: cardInput('number', 'cardnumber'),
    cardExpiry: cardInput('expiry', 'exp-date'),
    cardCode: cardInput('cvc', 'cvc'),
    open: (plan = 'solo', cycle = 1) =>
      page.goto(`${testStack().url}/#/${language}/order?plan=${plan}&cycle=${cycle}`),
    async fillCard(number: string, expiry = '12/34') {
      await cardReady();
      await page.getByLabel(t('order.card.name')).fill('Ann Example');
      await cardInput('number', 'cardnumber').fill(number);
      await cardInput('expiry', 'exp-date').fill(expiry);
      await cardInput('cvc', 'cvc').fill('123');
    },
    /** Types a card by keyboard alone. */
    async typeCard(keys: ReturnType<typeof keyboard>, number: string) {
      await cardReady();
      await keys.type(page.getByLabel(t('order.card.name')), 'Ann Example');
      await keys.type(cardInput('number', 'cardnumber'), number);
      await keys.type(cardInput('expiry', 'exp-date'), '1234');
      await keys.type(cardInput('cvc', 'cvc'), '123');
    },
    terms,
    agree: () => terms.check(),
    async fill(email: string, number = cards.good) {
      await this.email.fill(email);
      await this.fillCard(number);
      await this.agree();
    },
    /** Terms and cards load in the background; until then the button does nothing. */
    mayPay: () => expect(payButton).not.toHaveAttribute('aria-busy', 'true'),
    async pay() {
      await this.mayPay();
      await payButton.click();
    },
    answerOf,
    answerBank: (answer: 'complete' | 'fail') => answerOf(answer).click(),
    problem: page
      .getByRole('main')
      .getByRole('alert')
      .filter({ hasText: t('order.failed.title') }),
    /** An error's snack, by the code beside its text. */
    snack: (code: string) => page.getByRole('alert').filter({ has: page.getByText(code, { exact: true }) }),
    /** What covers the page while it pays. */
    overlay: page.getByRole('dialog', { name: t('order.paying').split('{')[0]!.trim() }),
    summary: page.getByRole('definition'),
  };
}
