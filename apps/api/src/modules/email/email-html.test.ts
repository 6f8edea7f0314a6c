import { expect, test } from 'vitest';
import { emailHtml } from './email-html.ts';

const content = {
  subject: 'Subject',
  preview: 'Preview',
  paragraphs: ['Text'],
  action: { label: 'Open', url: 'https://shop.example.com' },
};
const html = (colours?: { links?: string; action?: string }) =>
  emailHtml('en', { t: key => key, brand: { name: 'Ring', ...(colours && { colours }) } }, content);

test('an email has the colours of the pages: those of the operator, or those that the shop is built with', async () => {
  const built = await html();
  expect(await html({})).toBe(built);
  for (const colour of ['#3d34b0', '#ec5a14', '#c2480a', '#aca5ff']) expect(built).toContain(colour);
  const branded = await html({ links: '#005fcc', action: '#7a1fa2' });
  for (const colour of ['#3d34b0', '#ec5a14', '#c2480a', '#aca5ff', '#ff7a33'])
    expect(branded).not.toContain(colour);
  expect(branded).toContain('background-color:#7a1fa2');
  expect(branded).toContain('color:#005fcc');
});
