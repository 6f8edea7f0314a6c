/**
 * Buttons of the 3-D Secure and PromptPay pages: posts the answer, then notifies the shop's script,
 * or returns to the shop from a standalone page. Disabled at first, since clicks before this script
 * runs would be lost.
 */
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll('button[data-post]')
)) {
  button.addEventListener('click', async () => {
    for (const each of document.querySelectorAll('button')) each.disabled = true;
    const answer = await fetch(button.dataset.post ?? '', { method: 'POST' });
    const { redirect } = await answer.json();
    if (redirect) location.assign(redirect);
    // Any origin may receive this: it tells that the question was answered, not how.
    else if (parent !== window) parent.postMessage('done', '*');
    else document.querySelector('main')?.replaceChildren('Done. You may close this page.');
  });
}

document
  .querySelector('button[data-close]')
  ?.addEventListener('click', () => parent.postMessage('closed', '*'));

for (const each of document.querySelectorAll('button')) each.disabled = false;
