/** @type {Record<string, Record<string, string>>} */
const MESSAGES = {
  en: {
    incomplete_number: 'Your card number is incomplete.',
    invalid_number: 'Your card number is invalid.',
    incomplete_expiry: "Your card's expiration date is incomplete.",
    invalid_expiry_month_past: "Your card's expiration date is in the past.",
    invalid_expiry_year_past: "Your card's expiration year is in the past.",
    invalid_expiry_year: "Your card's expiration year is invalid.",
    incomplete_cvc: "Your card's security code is incomplete.",
    number: 'Credit or debit card number',
    expiry: 'Credit or debit card expiration date',
    cvc: 'Credit or debit card CVC/CVV',
    numberHint: '1234 1234 1234 1234',
    expiryHint: 'MM / YY',
    cvcHint: 'CVC',
  },
  th: {
    incomplete_number: 'หมายเลขบัตรของคุณไม่ครบถ้วน',
    invalid_number: 'หมายเลขบัตรของคุณไม่ถูกต้อง',
    incomplete_expiry: 'วันหมดอายุของบัตรไม่ครบถ้วน',
    invalid_expiry_month_past: 'วันหมดอายุของบัตรผ่านไปแล้ว',
    invalid_expiry_year_past: 'ปีที่หมดอายุของบัตรผ่านไปแล้ว',
    invalid_expiry_year: 'ปีที่หมดอายุของบัตรไม่ถูกต้อง',
    incomplete_cvc: 'รหัสความปลอดภัยของบัตรไม่ครบถ้วน',
    number: 'หมายเลขบัตรเครดิตหรือเดบิต',
    expiry: 'วันหมดอายุของบัตรเครดิตหรือเดบิต',
    cvc: 'รหัส CVC/CVV ของบัตรเครดิตหรือเดบิต',
    numberHint: '1234 1234 1234 1234',
    // No Thai letters: the frame loads no font, and the system may have none.
    expiryHint: 'MM / YY',
    cvcHint: 'CVC',
  },
};

/** Returns the text of a key in a language, or in English. */
export function message(/** @type {string} */ locale, /** @type {string} */ key) {
  return MESSAGES[locale.slice(0, 2)]?.[key] ?? MESSAGES.en?.[key] ?? key;
}
