import { errors } from '@fixpoint/contract/errors.ts';
import { languageCodes } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { bundleVersion, loadBundle } from './bundles.ts';

test('W50 every code of the catalogue is explained in every language', () => {
  for (const language of languageCodes) {
    const bundle = loadBundle(language);
    const missing = Object.values(errors)
      .filter(({ status }) => status !== 200)
      .map(({ code }) => `errorCode.${code}`)
      .filter(key => !bundle[key]);
    expect(missing).toEqual([]);
  }
});

test('W55 the messages of the fields are verbatim', () => {
  const en = loadBundle('en');
  expect(en['form.email.required']).toBe('Please enter email.');
  expect(en['form.email.invalid']).toBe('Please enter a valid email.');
  expect(en['form.email.exists']).toBe('There is already a user with this email. Please use another email.');
  expect(en['form.password.required']).toBe('Please enter password.');
  expect(en['form.confirmPassword.required']).toBe('Please confirm password.');
  expect(en['form.confirmPassword.mismatch']).toBe("Passwords don't match.");
  expect(en['form.code.required']).toBe('Please enter code.');
  expect(en['form.code.wrong']).toBe("You've entered incorrect code.");
  expect(en['form.keyName.required']).toBe('Please enter key name.');
});

test('W13 W14 W51 what pages say about a missing page, a fault and a failed login is verbatim', () => {
  const en = loadBundle('en');
  expect(en['notFound.text1']).toMatch(/^This page could not be found/);
  expect(en['notFound.title']).toBe('404 Not Found');
  expect(en['app.error.title']).toBe('An error occurred');
  expect(en['login.failed']).toBe('Cannot log in');
});

test('a bundle has all keys of English, and a version derived from its content', () => {
  const keys = Object.keys(loadBundle('en')).sort();
  for (const language of languageCodes) expect(Object.keys(loadBundle(language)).sort()).toEqual(keys);
  expect(bundleVersion(loadBundle('en'))).toMatch(/^[\w-]{16}$/);
  expect(bundleVersion(loadBundle('en'))).not.toBe(bundleVersion(loadBundle('th')));
});
