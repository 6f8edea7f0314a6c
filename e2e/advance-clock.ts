/** Advances the clock of a shop and its sandbox by `ms` and runs everything that becomes due. */
export async function advanceClock(shop: { url: string; controlToken: string }, ms: number): Promise<void> {
  const answer = await fetch(`${shop.url}/_sandbox/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms: Math.round(ms) }),
  });
  if (!answer.ok) throw new Error(`The clock answered ${answer.status}: ${await answer.text()}`);
}
