import { expect, test } from 'vitest';
import { alertMessage } from './message.ts';

test('a message holds facts, but no address of a person or of a network', () => {
  const { text, title } = alertMessage(
    { brand: 'Shop', docs: 'https://git.example.com/docs/' },
    '1',
    'opened',
    {
      kind: 'refund.failed',
      subject: 'ref_1',
      what: {
        currency: 'THB',
        amount: 19_900,
        at: '10:20:30',
        said: 'to ann@example.com from 203.0.113.9. Or 2001:db8::1, 203.0.113.0/24',
      },
      since: new Date('2026-11-29T02:00:00Z'),
      resolved_at: null,
    },
  );
  expect(title).toBe('[Shop] warning: refund.failed ref_1');
  expect(text).toContain('amount: THB 199.00');
  expect(text).toContain('at: 10:20:30');
  expect(text).toContain('said: to [e-mail address] from [address]. Or [address], [address]');
  expect(text).toContain('Since 2026-11-29 02:00 UTC.');
  expect(text).toMatch(/Reference: https:\/\/git\.example\.com\/docs\/reference\.md#alerts$/);
});
