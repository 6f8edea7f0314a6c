import { readSetting } from '../../env/in-words.ts';
import { schema } from '../../env/schema.ts';
import type { Settings } from './settings-file.ts';

/** One value that only the operator knows. */
type Question = {
  setting: keyof typeof schema.shape;
  asks: string;
  example: string;
  /** An empty answer leaves it out. */
  optional?: true;
  /** The setting for an answer. */
  asSetting?: (answer: string) => string;
};

const originOf = (domain: string): string => (/^https?:/.test(domain) ? domain : `https://${domain}`);

/** The six questions of a set-up, in order. */
export const questions: readonly { about: string; parts: readonly Question[] }[] = [
  {
    about: 'The shop',
    parts: [
      { setting: 'BRAND_NAME', asks: 'Name of the shop', example: 'Example VPN' },
      { setting: 'PUBLIC_URL', asks: 'Its domain', example: 'shop.example.com', asSetting: originOf },
      {
        setting: 'PAY_URL',
        asks: 'A second domain of the same server, for the payment page',
        example: 'pay.example.com',
        asSetting: originOf,
      },
    ],
  },
  {
    about: 'The company that sells',
    parts: [
      { setting: 'COMPANY_NAME', asks: 'Its name', example: 'Example Co., Ltd.' },
      { setting: 'COMPANY_ADDRESS', asks: 'Its address', example: '1 Example Road, Bangkok 10110, Thailand' },
      { setting: 'COMPANY_TAX_ID', asks: 'Its tax number', example: '0000000000000', optional: true },
    ],
  },
  {
    about: 'Country and currency of sale',
    parts: [
      { setting: 'SALE_COUNTRY', asks: 'Country, whose VAT the prices contain', example: 'TH' },
      { setting: 'DEFAULT_CURRENCY', asks: 'Currency that is shown first', example: 'THB' },
    ],
  },
  {
    about: 'Email',
    parts: [
      { setting: 'SMTP_URL', asks: 'Mail server', example: 'smtps://USER:PASSWORD@mail.example.com' },
      { setting: 'MAIL_FROM', asks: 'Sender', example: 'Example VPN <hello@example.com>' },
    ],
  },
  {
    about: 'Payment',
    parts: [
      { setting: 'STRIPE_SECRET', asks: 'Secret key at Stripe', example: 'sk_live_…' },
      { setting: 'STRIPE_PUB', asks: 'Publishable key at Stripe', example: 'pk_live_…' },
      {
        setting: 'PAYPAL_CLIENT_ID',
        asks: 'Client ID at PayPal, if you have one',
        example: 'AbC…',
        optional: true,
      },
      {
        setting: 'PAYPAL_SECRET',
        asks: 'Secret at PayPal, if you have one',
        example: 'EfG…',
        optional: true,
      },
    ],
  },
  {
    about: 'The owner',
    parts: [
      {
        setting: 'SUPPORT_EMAIL',
        asks: 'Address that answers customers, and gets the test email',
        example: 'support@example.com',
      },
    ],
  },
];

/** What is wrong with the value of a setting; undefined if nothing is. */
function faultOf(setting: Question['setting'], value: string): string | undefined {
  const read = readSetting(setting, schema.shape[setting], value);
  return 'fault' in read ? read.fault : undefined;
}

/**
 * Asks for what the settings lack, again after a wrong answer.
 * @param ask shows a question; undefined when nobody can answer
 * @returns the settings that were answered
 */
export async function answersTo(
  settings: Settings,
  ask: (question: string) => Promise<string | undefined>,
  say: (line: string) => void,
): Promise<Settings> {
  const answers: Settings = {};
  for (const { about, parts } of questions) {
    const open = parts.filter(({ setting }) => !settings[setting]);
    // Who has answered the others does not want an optional one.
    if (open.every(({ optional }) => optional) && open.length < parts.length) continue;
    say(`\n${about}`);
    for (const question of open) {
      const answer = await answerTo(question, ask, say);
      if (answer) answers[question.setting] = answer;
    }
  }
  return answers;
}

async function answerTo(
  { setting, asks, example, optional, asSetting = given => given }: Question,
  ask: (question: string) => Promise<string | undefined>,
  say: (line: string) => void,
): Promise<string | undefined> {
  for (;;) {
    const answer = (await ask(`  ${asks} (${optional ? 'or nothing; ' : ''}such as ${example}): `))?.trim();
    if (answer === undefined || (answer === '' && optional)) return undefined;
    const fault = answer === '' ? `${setting} is needed` : faultOf(setting, asSetting(answer));
    if (!fault) return asSetting(answer);
    say(`  ${fault}`);
  }
}

/** What the settings still lack, one line each. */
export const unanswered = (settings: Settings): string[] =>
  questions
    .flatMap(({ parts }) => parts)
    .filter(({ setting, optional }) => !optional && !settings[setting])
    .map(({ setting, asks, example }) => `${setting} is missing: ${asks}, such as ${example}`);
