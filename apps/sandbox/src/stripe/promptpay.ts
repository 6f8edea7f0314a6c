/**
 * Text of a PromptPay QR code: EMV tag-length-value fields of a Thai bill payment, with the
 * checksum that banking apps verify. `amount` in satang; `reference` identifies the payment.
 */
export function promptPayCode(amount: number, reference: string): string {
  const field = (tag: string, value: string) => `${tag}${String(value.length).padStart(2, '0')}${value}`;
  const body = [
    field('00', '01'),
    field('01', '12'),
    field('30', field('00', 'A000000677010112') + field('01', '000000000000000') + field('02', reference)),
    field('53', '764'),
    field('54', (amount / 100).toFixed(2)),
    field('58', 'TH'),
    '6304',
  ].join('');
  return body + crc16(body);
}

function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
