import { expect, test } from 'vitest';
import { problemsOf } from '../../env/problems.ts';
import { answersTo, questions, unanswered } from './questions.ts';

const examples: Record<string, string> = {
  PUBLIC_URL: 'shop.example.com',
  PAY_URL: 'pay.example.com',
  SMTP_URL: 'smtps://user:password@mail.example.com',
  STRIPE_SECRET: 'sk_live_1',
  STRIPE_PUB: 'pk_live_1',
};
const settled = {
  ...Object.fromEntries(
    ['DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_CUSTOMER_URL', 'DATABASE_MEMBER_URL'].map(name => [
      name,
      'postgresql://localhost/shop',
    ]),
  ),
  STRIPE_WEBHOOK_SECRETS: 'whsec_1',
  TRUST_PROXY: '127.0.0.1',
  NODE_ENV: 'production',
};

/** Answers each question by its example. */
async function answerAll(settings: Record<string, string>, wrong: Record<string, string> = {}) {
  const asked: string[] = [];
  const said: string[] = [];
  const parts = questions.flatMap(question => question.parts);
  const ask = async (text: string) => {
    const part = parts.find(({ asks }) => text.includes(asks))!;
    asked.push(part.setting);
    const first = wrong[part.setting];
    delete wrong[part.setting];
    return first ?? (part.optional ? '' : (examples[part.setting] ?? part.example));
  };
  return { answers: await answersTo(settings, ask, line => void said.push(line)), asked, said };
}

test('OP15 six questions are all that a shop with real money needs', async () => {
  expect(questions).toHaveLength(6);
  const { answers } = await answerAll({});
  expect(answers.PUBLIC_URL).toBe('https://shop.example.com');
  expect(problemsOf({ ...settled, ...answers })).toEqual([]);
  expect(unanswered(answers)).toEqual([]);
});

test('OP12 a wrong answer is named with what is wrong, and asked again', async () => {
  const { answers, asked, said } = await answerAll({}, { STRIPE_SECRET: 'pk_live_1', BRAND_NAME: ' ' });
  expect(asked.filter(name => name === 'STRIPE_SECRET')).toHaveLength(2);
  expect(asked.filter(name => name === 'BRAND_NAME')).toHaveLength(2);
  expect(said.join()).toContain('STRIPE_SECRET: is not a secret key of Stripe');
  expect(answers.STRIPE_SECRET).toBe('sk_live_1');
});

test('OP15 what was answered is not asked again, and what is missing is named with an example', async () => {
  const { answers } = await answerAll({});
  expect((await answerAll(answers)).asked).toEqual([]);
  const { SMTP_URL: _, ...rest } = answers;
  expect(unanswered(rest)).toEqual([
    expect.stringContaining('SMTP_URL is missing: Mail server, such as smtps://'),
  ]);
});
