import { beforeEach, expect, test } from 'vitest';
import { loginNotice, withLoginNotice } from './login-notice.ts';

const notice = { text: 'login.ended.delete' } as const;
beforeEach(() => loginNotice.set(undefined));

test('S22 the login page has its notice also when the session ends before the answer comes', async () => {
  await withLoginNotice(notice, async () => expect(loginNotice.get()).toEqual(notice));
  expect(loginNotice.get()).toEqual(notice);
});

test('a refused call leaves no notice', async () => {
  const refused = withLoginNotice(notice, () => Promise.reject(new Error('8006')));
  await expect(refused).rejects.toThrow('8006');
  expect(loginNotice.get()).toBeUndefined();
});
