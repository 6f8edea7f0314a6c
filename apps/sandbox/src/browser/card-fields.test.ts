import { describe, expect, it } from 'vitest';
import { brandOf, fault, format, isWrong } from './client/card-fields.js';
import { message } from './client/messages.js';

const today = new Date(2026, 10, 15);

describe('the card fields', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242', 'visa'],
    ['5555-5555-5555-4444', '5555 5555 5555 4444', 'mastercard'],
    ['378282246310005', '3782 822463 10005', 'amex'],
    ['42424242424242429999', '4242 4242 4242 4242', 'visa'],
    ['42ab', '42', 'visa'],
    ['9', '9', 'unknown'],
  ])('number %s is formatted as %s, %s', (typed, shown, brand) => {
    expect(format('number', typed)).toBe(shown);
    expect(brandOf(typed)).toBe(brand);
  });

  it.each([
    ['1', '1'],
    ['12', '12'],
    ['123', '12 / 3'],
    ['5', '05'],
    ['530', '05 / 30'],
    ['13', '01 / 3'],
    ['1/', '01 / '],
    ['12/2030', '12 / 30'],
    ['12 / 30', '12 / 30'],
  ])('expiry %s is formatted as %s', (typed, shown) => {
    expect(format('expiry', typed)).toBe(shown);
  });

  it('accepts three digits of security code, four for American Express', () => {
    expect(format('cvc', '12345', 'visa')).toBe('123');
    expect(format('cvc', '12345', 'amex')).toBe('1234');
    expect(fault('cvc', '123', 'visa', today)).toBeUndefined();
    expect(fault('cvc', '123', 'amex', today)?.code).toBe('incomplete_cvc');
  });

  it.each([
    ['number', '4242', 'incomplete_number'],
    ['number', '4242 4242 4242 4241', 'invalid_number'],
    ['number', '4242 4242 4242 4242', undefined],
    ['expiry', '12 / ', 'incomplete_expiry'],
    ['expiry', '00 / 30', 'incomplete_expiry'],
    ['expiry', '12 / 25', 'invalid_expiry_year_past'],
    ['expiry', '10 / 26', 'invalid_expiry_month_past'],
    ['expiry', '11 / 26', undefined],
    ['expiry', '12 / 80', 'invalid_expiry_year'],
  ] as const)('%s %s has the fault %s', (field, typed, code) => {
    expect(fault(field, typed, 'visa', today)?.code).toBe(code);
  });

  it('does not report an unfinished field', () => {
    expect(isWrong(fault('number', '4242', 'visa', today))).toBe(false);
    expect(isWrong(fault('number', '4242 4242 4242 4241', 'visa', today))).toBe(true);
  });

  it('uses the shop’s language, and English for missing texts', () => {
    expect(message('th', 'incomplete_cvc')).toBe('รหัสความปลอดภัยของบัตรไม่ครบถ้วน');
    expect(message('vi-VN', 'incomplete_cvc')).toBe("Your card's security code is incomplete.");
  });
});
