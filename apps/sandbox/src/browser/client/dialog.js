/**
 * Shows a page of the sandbox over the whole shop until it reports an answer (or Escape closes it).
 * Resolves with whether it was answered. Part of the `/v3/` script; see `../assets.ts`.
 * @param {string} url
 * @param {string} title
 * @returns {Promise<boolean>}
 */
export function showDialog(url, title) {
  return new Promise(resolve => {
    const before = document.activeElement;
    const frame = document.createElement('iframe');
    frame.title = title;
    frame.src = url;
    style(frame, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      border: '0',
      'z-index': '2147483647',
      background: 'rgb(0 0 0 / 50%)',
      'color-scheme': 'light',
    });
    const close = (/** @type {boolean} */ answered) => {
      removeEventListener('message', listen);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(answered);
    };
    const listen = (/** @type {MessageEvent} */ event) => {
      if (event.origin !== ORIGIN || event.source !== frame.contentWindow) return;
      if (event.data === 'done') close(true);
      if (event.data === 'closed') close(false);
    };
    addEventListener('message', listen);
    document.body.append(frame);
    frame.addEventListener('load', () => frame.focus());
  });
}

/** Sets styles through the CSSOM, which a strict style policy allows. */
export function style(/** @type {HTMLElement} */ element, /** @type {Record<string, string>} */ properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
}
