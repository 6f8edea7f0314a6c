import { expect, test } from 'vitest';
import { mailSite } from './mail-site.ts';

test.each([
  ['ann@gmail.com', 'https://mail.google.com/'],
  ['a…@Hotmail.co.th', 'https://outlook.live.com/mail/'],
  ['"a@qq.com"@example.com', undefined],
  ['ann@gmail.com.example', undefined],
  ['', undefined],
])('%s is read at %s', (email, href) => {
  expect(mailSite(email)?.href).toBe(href);
});
