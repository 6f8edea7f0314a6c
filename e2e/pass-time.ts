/** Lets time pass in a shop and at its stand-in providers; all that falls due on the way is done. */
export async function passTime(shop: { url: string; controlToken: string }, ms: number): Promise<void> {
  const answer = await fetch(`${shop.url}/_sandbox/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms: Math.round(ms) }),
  });
  if (!answer.ok) throw new Error(`The clock answered ${answer.status}: ${await answer.text()}`);
}
