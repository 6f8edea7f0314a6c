import { style } from './dialog.js';

/**
 * The card fields that the shop mounts: each a frame of the sandbox's origin. Part of the `/v3/` script.
 *
 * @typedef {Record<string, unknown> & { classes?: Record<string, string> }} ElementOptions
 * @typedef {(event: Record<string, unknown>) => void} Handler
 */

const ELEMENT_TYPES = ['card', 'cardNumber', 'cardExpiry', 'cardCvc'];

/** Creates the fields of one form, which find each other by `group`. */
export function createElements(/** @type {{ locale?: string }} */ options, /** @type {string} */ language) {
  const group = crypto.randomUUID();
  const locale = !options.locale || options.locale === 'auto' ? language : options.locale;
  /** @type {Map<string, ReturnType<typeof createElement>>} */
  const made = new Map();
  return {
    create(/** @type {string} */ type, /** @type {ElementOptions} */ elementOptions = {}) {
      if (!ELEMENT_TYPES.includes(type)) throw new Error(`The sandbox has no element of type ${type}.`);
      if (made.has(type)) throw new Error(`Can only create one Element of type ${type} through elements.`);
      const element = createElement(type, group, locale, elementOptions, () => made.delete(type));
      made.set(type, element);
      return element;
    },
    getElement: (/** @type {string} */ type) => made.get(type) ?? null,
    update() {},
  };
}

function createElement(
  /** @type {string} */ type,
  /** @type {string} */ group,
  /** @type {string} */ locale,
  /** @type {ElementOptions} */ options,
  /** @type {() => void} */ forget,
) {
  /** @type {Map<string, Set<Handler>>} */
  const handlers = new Map();
  /** @type {Map<number, (result: unknown) => void>} */
  const waiting = new Map();
  /** @type {HTMLElement | undefined} */
  let place;
  /** @type {HTMLIFrameElement | undefined} */
  let frame;
  /** @type {MessagePort | undefined} */
  let port;
  let requests = 0;
  let settings = options;
  let state = { focus: false, complete: false, empty: true, invalid: false };

  const showState = (change = {}) => {
    state = { ...state, ...change };
    const names = { base: 'StripeElement', ...settings.classes };
    place?.classList.add(names.base);
    for (const [name, on] of Object.entries(state)) {
      place?.classList.toggle(
        /** @type {Record<string, string>} */ (names)[name] ?? `StripeElement--${name}`,
        on,
      );
    }
  };
  const listen = (/** @type {MessageEvent} */ { data }) => {
    if (data.height && frame) style(frame, { height: `${data.height}px` });
    if (data.answer) {
      waiting.get(data.answer)?.(data.result);
      waiting.delete(data.answer);
    }
    const { event, detail } = data;
    if (!event) return;
    if (event === 'focus' || event === 'blur') showState({ focus: event === 'focus' });
    if (event === 'change') {
      showState({ complete: detail.complete, empty: detail.empty, invalid: Boolean(detail.error) });
    }
    for (const handler of handlers.get(event) ?? []) handler(detail);
  };
  const order = (/** @type {string} */ name, /** @type {unknown} */ given) =>
    port?.postMessage({ order: name, given });
  const onLabel = () => order('focus', undefined);
  const labels = () =>
    place?.id ? [...document.querySelectorAll(`label[for="${CSS.escape(place.id)}"]`)] : [];

  const element = {
    /** For the script itself: the set of fields that this belongs to, and its channel. */
    group,
    type,
    submit(/** @type {{ path: string, form: [string, string][], prefix: string }} */ given) {
      if (!port) throw new Error('The card element must be mounted before it is used.');
      const id = ++requests;
      return new Promise(resolve => {
        waiting.set(id, resolve);
        port?.postMessage({ order: 'submit', given, id });
      });
    },
    mount(/** @type {string | HTMLElement} */ target) {
      const found = typeof target === 'string' ? document.querySelector(target) : target;
      if (!(found instanceof HTMLElement))
        throw new Error(`The element to mount in was not found: ${target}`);
      if (place === found) return;
      element.unmount();
      place = found;
      place.replaceChildren();
      const made = document.createElement('iframe');
      made.title = `Secure card input frame (${type})`;
      made.allow = 'payment *';
      made.src = `${ORIGIN}/v3/elements/${type}`;
      style(made, { border: '0', width: '100%', height: '1.2em', display: 'block', 'color-scheme': 'light' });
      made.addEventListener('load', () => {
        const channel = new MessageChannel();
        port = channel.port1;
        port.onmessage = listen;
        const { classes: _, ...plain } = settings;
        made.contentWindow?.postMessage({ group, locale, options: plain }, ORIGIN, [channel.port2]);
      });
      frame = made;
      place.append(made);
      for (const label of labels()) label.addEventListener('click', onLabel);
      showState();
    },
    unmount() {
      for (const label of labels()) label.removeEventListener('click', onLabel);
      port?.close();
      frame?.remove();
      place = frame = port = undefined;
    },
    destroy() {
      element.unmount();
      handlers.clear();
      forget();
    },
    update(/** @type {ElementOptions} */ more) {
      settings = { ...settings, ...more };
      const { classes: _, ...plain } = more;
      order('update', plain);
      showState();
    },
    focus: () => order('focus', undefined),
    blur: () => order('blur', undefined),
    clear: () => order('clear', undefined),
    on(/** @type {string} */ event, /** @type {Handler} */ handler) {
      handlers.set(event, (handlers.get(event) ?? new Set()).add(handler));
      return element;
    },
    once(/** @type {string} */ event, /** @type {Handler} */ handler) {
      const first = (/** @type {Record<string, unknown>} */ detail) => {
        element.off(event, first);
        handler(detail);
      };
      return element.on(event, first);
    },
    off(/** @type {string} */ event, /** @type {Handler | undefined} */ handler) {
      if (handler) handlers.get(event)?.delete(handler);
      else handlers.delete(event);
      return element;
    },
  };
  return element;
}
