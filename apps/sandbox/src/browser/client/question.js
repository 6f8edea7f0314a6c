/**
 * The buttons of the 3-D Secure and PromptPay pages: posts the answer, then tells the shop's script, or goes back to
 * the shop if the page stands alone. They come disabled: a click before this has run would do nothing.
 */
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll('button[data-post]')
)) {
  button.addEventListener('click', async () => {
    for (const each of document.querySelectorAll('button')) each.disabled = true;
    const answer = await fetch(button.dataset.post ?? '', { method: 'POST' });
    const { redirect } = await answer.json();
    if (redirect) location.assign(redirect);
    // Any shop may hear this: it says that the question was answered, not how.
    else if (parent !== window) parent.postMessage('done', '*');
    else document.querySelector('main')?.replaceChildren('Done. You may close this page.');
  });
}

document
  .querySelector('button[data-close]')
  ?.addEventListener('click', () => parent.postMessage('closed', '*'));

for (const each of document.querySelectorAll('button')) each.disabled = false;
