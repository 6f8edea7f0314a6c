import type { ShopCalls } from '@fixpoint/contract/calls.ts';
import { createStore } from '@fixpoint/ui/lib/store.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { Cancelled, Fault, Refusal } from './faults.ts';
import type { Session } from './session.ts';
import { createTransport } from './transport.ts';

const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const success = (data: unknown) => answer({ code: '0000', data });
const expired = () => answer({ code: '8001' }, 401);

function setUp(token = '') {
  const session: Session = {
    token: createStore(token),
    begin: vi.fn(),
    end: vi.fn(),
    logOut: vi.fn(),
    wasLoggedOut: () => false,
    renew: vi.fn(async () => 'new'),
  };
  const fetch = vi.fn<typeof globalThis.fetch>();
  const send = createTransport({
    apiUrl: () => 'https://api.example',
    languageTag: () => 'th-TH',
    session: () => session,
    fetch,
  });
  const answers = { solveHumanCheck: vi.fn(async () => 'proof'), stepUp: vi.fn(async () => true) };
  const shown = vi.fn<(refusal: Refusal) => void>();
  const client = createClient<ShopCalls>(
    {
      auth: { login: { token: true } },
      billing: { getBilling: { path: '/v1/billing/getBilling/:id' } },
      order: { purchase: { token: true, once: true }, purchaseData: { reads: true } },
      subscription: { addKey: { once: true } },
    },
    send,
    answers,
    shown,
  );
  const sent = (call: number) => {
    const [url, init] = fetch.mock.calls[call]!;
    return { url: String(url), headers: init?.headers as Record<string, string>, body: init?.body };
  };
  return { session, fetch, send, client, sent, answers, shown };
}

beforeEach(() => {
  vi.useRealTimers();
});

describe('calls', () => {
  test.each(['ab–cd', 'ab cd', 'ab\ncd', 'ลิงก์', 'x'.repeat(401)])(
    'BG12 a link whose token was mangled is refused as such, without a request: %j',
    async bearer => {
      const { client, fetch } = setUp('token-1');
      await expect(client.auth.verifyToken({ bearer })).rejects.toMatchObject({ code: '8003', status: 400 });
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  test('a stored token that cannot be sent is renewed like an expired one', async () => {
    const { client, fetch, session, sent } = setUp('ลิงก์');
    fetch.mockResolvedValueOnce(expired()).mockResolvedValueOnce(success({}));
    await client.billing.getBilling({ params: { id: 'a' } });
    expect(sent(0).headers.Authorization).toBeUndefined();
    expect(session.renew).toHaveBeenCalledWith('ลิงก์');
    expect(sent(1).headers.Authorization).toBe('Bearer new');
  });

  test('the headers of every answer are read, also of a refusal', async () => {
    const seen: (string | null)[] = [];
    const { session, fetch } = setUp();
    const send = createTransport({
      apiUrl: () => '',
      languageTag: () => 'en',
      session: () => session,
      fetch,
      readHeaders: headers => seen.push(headers.get('x')),
    });
    fetch.mockResolvedValueOnce(new Response('{"code":"9904"}', { status: 503, headers: { x: 'on' } }));
    await expect(send({ method: 'GET', path: '/' })).rejects.toBeInstanceOf(Refusal);
    expect(seen).toEqual(['on']);
  });

  test('send language and bearer token, and no empty parameters', async () => {
    const { client, fetch, sent } = setUp('token-1');
    fetch.mockImplementation(async () => success({}));
    await client.order.getVendor({ query: { provider: 'demo', region: undefined } });
    expect(sent(0).url).toBe('https://api.example/v1/order/getVendor?provider=demo');
    expect(sent(0).headers).toMatchObject({ 'Accept-Language': 'th-TH', Authorization: 'Bearer token-1' });
    await client.billing.getBilling({ params: { id: 'a/b' } });
    expect(sent(1).url).toBe('https://api.example/v1/billing/getBilling/a%2Fb');
  });

  test('return their data, and the token where the contract has one', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValue(answer({ code: '0000', data: { accessToken: 'a' }, token: 'a' }));
    const body = { email: 'a@example.com', password: 'x' };
    expect(await client.auth.login({ body })).toEqual({ data: { accessToken: 'a' }, token: 'a' });
  });

  test('with an answer that must not be lost outlive their timeout', async () => {
    vi.useFakeTimers();
    const { send, fetch } = setUp();
    fetch.mockReturnValue(new Promise(() => undefined));
    const answered = expect(send({ method: 'POST', path: '/refresh', keepalive: true })).rejects.toThrow(
      Fault,
    );
    await vi.advanceTimersByTimeAsync(30_000);
    await answered;
    expect(fetch.mock.calls[0]![1]).toMatchObject({ keepalive: true });
    expect(fetch.mock.calls[0]![1]!.signal).toBeUndefined();
  });

  test('of an emailed link carry its token and never refresh', async () => {
    const { client, fetch, session, sent } = setUp('token-1');
    fetch.mockImplementation(async () => expired());
    await expect(client.auth.verifyToken({ bearer: 'link' })).rejects.toThrow(Refusal);
    expect(sent(0).headers.Authorization).toBe('Bearer link');
    expect(session.renew).not.toHaveBeenCalled();
  });

  test('are repeated once with a new token after HTTP 401', async () => {
    const { client, fetch, session, sent } = setUp('old');
    fetch.mockResolvedValueOnce(expired()).mockResolvedValueOnce(success({ ok: 1 }));
    expect(await client.order.getVendor({ query: {} })).toEqual({ ok: 1 });
    expect(session.renew).toHaveBeenCalledExactlyOnceWith('old');
    expect(sent(1).headers.Authorization).toBe('Bearer new');

    fetch.mockImplementation(async () => expired());
    await expect(client.order.getVendor({ query: {} })).rejects.toMatchObject({ code: '8001' });
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  test.each(['401', '500', '502'])('W36 end the session on body code %s', async code => {
    const { client, fetch, session } = setUp('token-1');
    fetch.mockImplementation(async () => answer({ code }));
    await expect(client.order.getVendor({ query: {} })).rejects.toThrow(Refusal);
    expect(session.end).toHaveBeenCalled();
  });

  test('refused with HTTP 400 name the code and the fields and keep the session', async () => {
    const { client, fetch, session } = setUp('token-1');
    fetch.mockResolvedValue(answer({ code: '7004', data: { fields: { email: 'form.email.invalid' } } }, 400));
    const refusal = await client.order.getVendor({ query: {} }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: '7004', status: 400, fields: { email: 'form.email.invalid' } });
    expect(session.end).not.toHaveBeenCalled();
  });
});

describe('W50 a snack', () => {
  const login = { body: { email: 'a@example.com', password: 'x' } };

  test('is shown for HTTP 400 of every call, read or write, once and before the page hears of it', async () => {
    const { client, fetch, shown } = setUp('token-1');
    fetch.mockImplementation(async () => answer({ code: '6006' }, 400));
    const calls = [
      () => client.order.getVendor({ query: {} }),
      () => client.order.purchaseData({ body: { metadata: 'm' } }),
      () => client.order.purchase({ body: {} as never }),
      () => client.auth.verifyToken({ bearer: 'link' }),
    ];
    for (const [index, call] of calls.entries()) {
      await expect(call()).rejects.toMatchObject({ code: '6006', reported: true });
      expect(shown).toHaveBeenCalledTimes(index + 1);
    }
    expect(shown).toHaveBeenLastCalledWith(expect.objectContaining({ code: '6006', status: 400 }));
  });

  test('is shown for no other status, and not while the page only has to ask for a second factor', async () => {
    const { client, fetch, shown } = setUp();
    const secondFactor = { secondFactor: ['totp'] };
    fetch.mockResolvedValueOnce(answer({ code: '8002' }, 403));
    await expect(client.auth.login(login)).rejects.toMatchObject({ reported: false });
    fetch.mockResolvedValueOnce(answer({ code: '9905' }, 429));
    await expect(client.auth.login(login)).rejects.toThrow(Refusal);
    fetch.mockResolvedValueOnce(answer({ code: '8000', data: secondFactor }, 400));
    await expect(client.auth.login(login)).rejects.toThrow(Refusal);
    expect(shown).not.toHaveBeenCalled();
    fetch.mockResolvedValueOnce(answer({ code: '7006', data: secondFactor }, 400));
    await expect(client.auth.login(login)).rejects.toThrow(Refusal);
    expect(shown).toHaveBeenCalledOnce();
  });
});

describe('faults', () => {
  test('a read is repeated until it is answered', async () => {
    vi.useFakeTimers();
    const { client, fetch } = setUp();
    fetch
      .mockRejectedValueOnce(new TypeError('offline'))
      .mockResolvedValueOnce(answer({ code: '9902' }, 503))
      .mockResolvedValueOnce(success({ ok: 1 }));
    const reading = client.order.getVendor({ query: {} });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await reading).toEqual({ ok: 1 });

    fetch.mockRejectedValueOnce(new TypeError('offline')).mockResolvedValueOnce(success({ ok: 2 }));
    const readingPost = client.order.purchaseData({ body: { metadata: 'm' } });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await readingPost).toEqual({ ok: 2 });
  });

  test('a write is never repeated: it may have been done', async () => {
    const { client, fetch, sent } = setUp();
    fetch.mockRejectedValue(new TypeError('offline'));
    const cancel = client.subscription.cancelSubscription({ body: {} as never });
    await expect(cancel).rejects.toThrow(Fault);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(sent(0).headers).not.toHaveProperty('Idempotency-Key');
  });

  test('S36 an idempotent call without an answer is sent again under the same key', async () => {
    vi.useFakeTimers();
    const { client, fetch, sent, answers } = setUp('token');
    fetch
      .mockRejectedValueOnce(new TypeError('offline'))
      .mockResolvedValueOnce(answer({ code: '9905', data: { humanCheck: true } }, 429))
      .mockResolvedValueOnce(expired())
      .mockImplementation(async () => success({ id: 'key_1' }));
    const add = () => client.subscription.addKey({ body: { subscriptionId: 'sub_1', name: 'laptop' } });
    const adding = add();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await adding).toEqual({ id: 'key_1' });
    expect(answers.solveHumanCheck).toHaveBeenCalledTimes(1);
    await add();
    const keys = fetch.mock.calls.map((_, call) => sent(call).headers['Idempotency-Key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[0], expect.stringMatching(/^[\w-]{9,40}$/)]);
    expect(keys[4]).not.toBe(keys[0]);
  });

  test('S36 an idempotent call with an answer is not sent again, whatever the answer', async () => {
    const { client, fetch } = setUp();
    fetch.mockImplementation(async () => answer({ code: '9901' }, 503));
    await expect(client.order.purchase({ body: {} as never })).rejects.toMatchObject({ code: '9901' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('demands of the server', () => {
  const login = { body: { email: 'a@example.com', password: 'x' } };
  const wantsProof = () => answer({ code: '9905', data: { humanCheck: true } }, 429);
  const wantsStepUp = () => answer({ code: '8004', data: { stepUp: { methods: ['password'] } } }, 403);

  test('S13 a human check is solved and sent with the same call, three times at most', async () => {
    const { client, fetch, sent, answers } = setUp();
    fetch.mockResolvedValueOnce(wantsProof()).mockResolvedValueOnce(success({}));
    await client.auth.login(login);
    expect(JSON.parse(String(sent(1).body))).toEqual({ ...login.body, humanCheck: 'proof' });

    fetch.mockImplementation(async () => wantsProof());
    await expect(client.auth.login(login)).rejects.toMatchObject({ code: '9905' });
    expect(answers.solveHumanCheck).toHaveBeenCalledTimes(4);
  });

  test('S13 a solution that has expired is replaced, once', async () => {
    const { client, fetch, sent, answers } = setUp();
    fetch.mockResolvedValueOnce(wantsProof()).mockResolvedValueOnce(success({}));
    await client.auth.login({ body: { ...login.body, humanCheck: 'old' } });
    expect(JSON.parse(String(sent(1).body))).toEqual({ ...login.body, humanCheck: 'proof' });
    expect(answers.solveHumanCheck).toHaveBeenCalledTimes(1);
  });

  test('S43 a call that has become dearer is solved for its new price', async () => {
    const { client, fetch, answers } = setUp();
    const dearer = answer({ code: '9905', data: { humanCheck: true, work: 4 } }, 429);
    fetch
      .mockResolvedValueOnce(wantsProof())
      .mockResolvedValueOnce(dearer)
      .mockResolvedValueOnce(success({}));
    await client.auth.login(login);
    expect(answers.solveHumanCheck.mock.calls).toEqual([[1], [4]]);
  });

  test('S13 a long wait is shown instead of waited for', async () => {
    const { client, fetch } = setUp();
    const data = { humanCheck: true };
    fetch.mockResolvedValueOnce(
      new Response(JSON.stringify({ code: '9905', data }), { status: 429, headers: { 'Retry-After': '60' } }),
    );
    await expect(client.auth.login(login)).rejects.toMatchObject({ code: '9905', retryAfter: 60 });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('S16 after a step-up the same call is sent again', async () => {
    const { client, fetch, sent, answers } = setUp('token');
    fetch.mockResolvedValueOnce(wantsStepUp()).mockResolvedValueOnce(success({}));
    await client.auth.deleteAccount({ body: { action: 'delete', currentPassword: 'x' } });
    expect(answers.stepUp).toHaveBeenCalledWith(['password']);
    expect(sent(1)).toEqual(sent(0));
  });

  test('S16 a cancelled step-up sends nothing more and shows no error', async () => {
    const { client, fetch, answers } = setUp('token');
    answers.stepUp.mockResolvedValue(false);
    fetch.mockResolvedValueOnce(wantsStepUp());
    const call = client.auth.deleteAccount({ body: { action: 'delete', currentPassword: 'x' } });
    await expect(call).rejects.toBeInstanceOf(Cancelled);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
